package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.SharedFiles;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * RDMA verbs in the shared memory of one host: the embedded default, and what tests run on. Devices that are opened on
 * the same directory, in any processes of one user, reach each other. Any thread may call its methods, except
 * {@link #poll}, which one thread at a time calls. Whoever opened it closes it, last.
 */
public final class SoftwareDevice implements RdmaDevice {
    private final DevicePresence presence = new DevicePresence(SoftwareDescription.NAME);
    private final DeviceContext context;
    private final DeviceObjects objects;
    private final DeviceDuties duties;
    private final QueueFactory queues;
    private final SoftwareRemoval removal;

    private SoftwareDevice(final Environment environment, final Path directory, final FaultHook hook) {
        context = new DeviceContext(environment, directory, hook, presence);
        objects = new DeviceObjects(context);
        duties = new DeviceDuties(environment, objects, context.peers());
        queues = new QueueFactory(context, objects);
        removal = new SoftwareRemoval(SoftwareDescription.NAME, presence, objects);
    }

    /**
     * Open a device.
     *
     * @param environment to reach files, sockets, clock and threads through.
     * @param directory   that all processes which want to reach each other name, see {@link #defaultDirectory}; made
     *                    when it does not exist. At most 64 bytes long.
     * @return the device, owned by the caller.
     * @throws VerbsException when the directory is too long, not this user's, or open to others.
     */
    public static SoftwareDevice open(final Environment environment, final Path directory) {
        return new SoftwareDevice(environment, directory, null);
    }

    /**
     * Open a device whose operations a test interferes with.
     *
     * @param environment to reach files, sockets, clock and threads through.
     * @param directory   that all processes which want to reach each other name.
     * @param hook        asked for every operation that this device's queue pairs post.
     * @return the device, owned by the caller.
     * @throws VerbsException when the directory is too long, not this user's, or open to others.
     */
    public static SoftwareDevice open(final Environment environment, final Path directory, final FaultHook hook) {
        return new SoftwareDevice(environment, directory, Objects.requireNonNull(hook, "hook"));
    }

    /**
     * The directory to open a device on when the user names none: in memory where the system has a place for that.
     *
     * @param environment that knows the machine.
     * @return {@code /dev/shm/sluice-USER}, or {@code sluice-USER} in the system's temporary directory; the user's
     *         number for one without a name.
     * @throws VerbsException when neither name nor number of the user can be learned.
     */
    public static Path defaultDirectory(final Environment environment) {
        final SharedFiles files = environment.files();
        try {
            return files.sharedDirectory().resolve("sluice-" + files.userName());
        } catch (final IOException e) {
            throw SystemRefusal.of("ibv_open_device", Errno.EACCES, "no directory for this user", e);
        }
    }

    /**
     * Describe the software device, without opening one.
     *
     * @return its description.
     */
    public static DeviceDescription describe() {
        return SoftwareDescription.describe();
    }

    @Override
    public String name() {
        return SoftwareDescription.NAME;
    }

    @Override
    public DeviceAttributes attributes() {
        return SoftwareDescription.ATTRIBUTES;
    }

    /** Nanoseconds of the environment's clock. */
    @Override
    public long clockTicks() {
        context.checkOpen("ibv_query_rt_values_ex");
        return context.environment().nanoTime();
    }

    /**
     * The number of files that stay mapped until the process ends, because a thread did not come back from a post or a
     * poll while what it used was closed.
     *
     * @return number of mappings since the device was opened.
     */
    public long abandonedMappings() {
        return context.abandonedMappings();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        context.checkOpen("ibv_alloc_pd");
        final SoftwareProtectionDomain domain = new SoftwareProtectionDomain(context, queues, this::forget);
        removal.add(domain);
        context.removedFiles().add(NamedFiles.Kind.DOMAIN, domain);
        return domain;
    }

    private void forget(final SoftwareProtectionDomain closed) {
        removal.remove(closed);
        context.removedFiles().remove(NamedFiles.Kind.DOMAIN, closed);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        context.checkOpen("ibv_create_comp_channel");
        return SoftwareCompletionChannel.create(context);
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        return queues.createCompletionQueue(attributes);
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        context.checkOpen("rdma_listen");
        final SoftwareListener listener =
            SoftwareListener.open(context, objects, address, backlog, removal::remove);
        removal.add(listener);
        return listener;
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        context.checkOpen("rdma_connect");
        return ClientConnector.connect(context, objects, address, queuePair, privateData, timeoutNs);
    }

    @Override
    public List<String> listeners(final String service) {
        return context.services().list("rdma_listen", service);
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        return presence.isClosed() || presence.isReleased() ? 0 : duties.poll(handler) + presence.deliver(handler);
    }

    /**
     * Take the device away, as a test does: it is told by {@link AsyncEventType#DEVICE_REMOVED}, and nothing can be
     * created on it before it is back. Any thread.
     */
    public void remove() {
        presence.begin(AsyncEventType.DEVICE_REMOVED);
    }

    /**
     * Let the device break, as a test does: it is told by {@link AsyncEventType#DEVICE_FATAL}, and nothing can be
     * created on it before it was released and is taken up again, which it can be at once. Any thread.
     */
    public void breakDown() {
        presence.begin(AsyncEventType.DEVICE_FATAL);
    }

    /** Bring the device back after {@link #remove()}: {@link #reopen()} finds it again. Any thread. */
    public void comeBack() {
        presence.end();
    }

    /** {@inheritDoc} Only a test takes a software device away, or breaks it. */
    @Override
    public void release() {
        removal.release();
    }

    @Override
    public boolean reopen() {
        return removal.reopen();
    }

    @Override
    public String missing() {
        return presence.isClosed() ? null : context.removedFiles().missing();
    }

    @Override
    public void restore() {
        if (!presence.isClosed()) {
            context.removedFiles().restore();
        }
    }

    @Override
    public void close() {
        if (!presence.close()) {
            return;
        }
        objects.failAll();
        try {
            context.folder().close();
        } catch (final IOException e) {
            throw SystemRefusal.of("ibv_close_device", 0, "cannot delete " + context.folder().path(), e);
        }
    }

    DeviceContext context() {
        return context;
    }
}
