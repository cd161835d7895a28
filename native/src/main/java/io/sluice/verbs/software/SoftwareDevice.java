package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Connection;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceCapability;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * RDMA verbs in the shared memory of one host: the embedded default, and what tests run on. Devices that are opened on
 * the same directory, in any processes of one user, reach each other. Any thread may call its methods, except
 * {@link #poll}, which one thread at a time calls. Whoever opened it closes it, last.
 */
public final class SoftwareDevice implements RdmaDevice {
    private static final String NAME = "software";
    private static final DeviceAttributes ATTRIBUTES = new DeviceAttributes(
        SoftwareLimits.MAX_COMPLETION_QUEUE_ENTRIES,
        SoftwareLimits.MAX_WORK_REQUESTS,
        true,
        SoftwareLimits.MAX_INLINE_DATA,
        SoftwareLimits.MAX_REGION_LENGTH,
        CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE | CompletionField.QUEUE_PAIR_NUMBER
            | CompletionField.SOURCE_QUEUE_PAIR,
        CompletionQueueFlags.SINGLE_THREADED | CompletionQueueFlags.IGNORE_OVERRUN,
        true,
        1,
        false,
        SoftwareLimits.MAX_READ_ATOMIC,
        SoftwareLimits.MAX_READ_ATOMIC,
        true,
        SoftwareLimits.MAX_WORK_REQUESTS,
        0,
        true,
        DeviceCapability.RC_RNR_NAK_GEN,
        new DeviceClock(SoftwareLimits.CLOCK_KHZ, 0));

    private final Environment environment;
    private final Path fabric;
    private final FaultHook hook;
    private final ProcessFolder folder;
    private final ServiceDirectory services;
    private final PeerProcesses peers;
    private final DeviceObjects objects = new DeviceObjects();
    private final RemovedFiles removedFiles;
    private final DeviceDuties duties;
    private final Quiescence quiescence;
    private final SoftwareRemoval removal = new SoftwareRemoval(this);
    private final AtomicInteger nextNumber = new AtomicInteger(1);
    private final AtomicLong abandonedMappings = new AtomicLong();
    private volatile boolean isClosed;

    private SoftwareDevice(final Environment environment, final Path directory, final FaultHook hook) {
        this.environment = environment;
        this.hook = hook;
        fabric = directory.toAbsolutePath().normalize();
        folder = ProcessFolder.create(environment, fabric);
        services = new ServiceDirectory(environment, fabric);
        peers = new PeerProcesses(environment.files(), fabric);
        duties = new DeviceDuties(environment, objects, peers);
        quiescence = new Quiescence(environment);
        removedFiles = new RemovedFiles(this);
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
     * What it offers, without opening one.
     *
     * @return its description.
     */
    public static DeviceDescription describe() {
        return SoftwareDescription.of(NAME, ATTRIBUTES);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DeviceAttributes attributes() {
        return ATTRIBUTES;
    }

    /** Nanoseconds of the environment's clock. */
    @Override
    public long clockTicks() {
        checkOpen("ibv_query_rt_values_ex");
        return environment.nanoTime();
    }

    /**
     * Files that stay mapped until the process ends, because a thread did not come back from a post or a poll while
     * what it used was closed.
     *
     * @return number of mappings since the device was opened.
     */
    public long abandonedMappings() {
        return abandonedMappings.get();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        checkOpen("ibv_alloc_pd");
        final SoftwareProtectionDomain domain = new SoftwareProtectionDomain(this, nextNumber.getAndIncrement());
        removal.add(domain);
        return domain;
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        checkOpen("ibv_create_comp_channel");
        return SoftwareCompletionChannel.create(this, nextNumber.getAndIncrement());
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        final String call = "ibv_create_cq_ex";
        checkOpen(call);
        CompletionQueueRequests.check(call, attributes, ATTRIBUTES);
        final CompletionChannel channel = attributes.channel();
        if (channel != null && (!(channel instanceof final SoftwareCompletionChannel own) || own.device() != this)) {
            throw new VerbsException(call, Errno.EINVAL, "the channel is not one of this device");
        }
        final int number = nextNumber.getAndIncrement();
        final String file = FabricNames.completionQueue(number);
        final MappedMemory memory = createFile(call, file, CompletionQueueLayout.LENGTH);
        boolean isAdded = false;
        try {
            final SoftwareCompletionQueue queue = new SoftwareCompletionQueue(this, number, attributes, memory);
            objects.add(queue);
            isAdded = true;
            return queue;
        } finally {
            if (!isAdded) {
                memory.close();
                deleteFile(call, file);
            }
        }
    }

    SharedReceiveQueue createSharedReceiveQueue(final SoftwareProtectionDomain domain, final int capacity) {
        final int number = nextNumber.getAndIncrement();
        final MappedMemory memory = createFile("ibv_create_srq", FabricNames.sharedReceiveQueue(number),
            SharedQueueLayout.length(SoftwareSharedReceiveQueue.entriesFor(capacity)));
        final SoftwareSharedReceiveQueue queue =
            new SoftwareSharedReceiveQueue(domain, number, capacity, memory);
        objects.add(queue);
        return queue;
    }

    QueuePair createQueuePair(final SoftwareProtectionDomain domain, final QueuePairAttributes attributes) {
        final String call = "ibv_create_qp";
        final int number = objects.newQueuePairNumber();
        final String file = FabricNames.queuePair(number);
        final MappedMemory memory = createFile(call, file, ReceiveQueue.fileLength(attributes));
        SoftwareQueuePair queuePair = null;
        boolean isAdded = false;
        try {
            queuePair = new SoftwareQueuePair(domain, number, environment.randomLong(), attributes, memory);
            objects.add(queuePair);
            isAdded = true;
            return queuePair;
        } finally {
            if (!isAdded) {
                if (queuePair != null) {
                    queuePair.detach();
                }
                discard(memory, attributes);
                deleteFile(call, file);
            }
        }
    }

    /** Unmap what a queue pair lies in that could not be made: a poll of one of its queues may have seen it. */
    private void discard(final MappedMemory memory, final QueuePairAttributes attributes) {
        final SoftwareCompletionQueue sends = (SoftwareCompletionQueue) attributes.sendQueue();
        final SoftwareCompletionQueue receives = (SoftwareCompletionQueue) attributes.receiveQueue();
        if (quiescence.await(List.of(sends::isBusy, receives::isBusy))) {
            memory.close();
        } else {
            abandonedMappings.incrementAndGet();
        }
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        checkOpen("rdma_listen");
        final SoftwareListener listener =
            SoftwareListener.open(this, nextNumber.getAndIncrement(), address, backlog);
        removal.add(listener);
        return listener;
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        checkOpen("rdma_connect");
        return ClientConnector.connect(this, address, queuePair, privateData, timeoutNs);
    }

    @Override
    public List<String> listeners(final String service) {
        return services.list("rdma_listen", service);
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        return isClosed || removal.isReleased() ? 0 : duties.poll(handler) + removal.deliver(handler);
    }

    /**
     * Take the device away, as a test does: it is told by {@link AsyncEventType#DEVICE_REMOVED}, and nothing can be
     * created on it before it is back. Any thread.
     */
    public void remove() {
        removal.begin(AsyncEventType.DEVICE_REMOVED);
    }

    /**
     * Let the device break, as a test does: it is told by {@link AsyncEventType#DEVICE_FATAL}, and nothing can be
     * created on it before it was released and is taken up again, which it can be at once. Any thread.
     */
    public void breakDown() {
        removal.begin(AsyncEventType.DEVICE_FATAL);
    }

    /** Bring it back after {@link #remove()}: {@link #reopen()} finds it again. Any thread. */
    public void comeBack() {
        removal.end();
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
        return isClosed ? null : removedFiles.missing();
    }

    @Override
    public void restore() {
        if (!isClosed) {
            removedFiles.restore();
        }
    }

    @Override
    public void close() {
        synchronized (objects) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        objects.failAll();
        try {
            folder.close();
        } catch (final IOException e) {
            throw SystemRefusal.of("ibv_close_device", 0, "cannot delete " + folder.path(), e);
        }
    }

    void checkOpen(final String call) {
        if (isClosed) {
            throw new VerbsException(call, Errno.EINVAL, "the device is closed");
        }
        removal.checkThere(call);
    }

    SoftwareRemoval removal() {
        return removal;
    }

    Environment environment() {
        return environment;
    }

    Path fabric() {
        return fabric;
    }

    ProcessFolder folder() {
        return folder;
    }

    RemovedFiles removedFiles() {
        return removedFiles;
    }

    /** Whether this device's folder has a file. */
    boolean hasFile(final String file) {
        return environment.files().exists(folder.resolve(file));
    }

    /** Whether the folder of a device has a file. */
    boolean hasFile(final String processFolder, final String file) {
        return environment.files().exists(fabric.resolve(processFolder).resolve(file));
    }

    boolean isPeerGone(final String peerFolder) {
        return peers.isGone(peerFolder);
    }

    ServiceDirectory services() {
        return services;
    }

    DeviceObjects objects() {
        return objects;
    }

    Wire newWire(final int queuePairNumber) {
        return hook == null ? new DirectWire() : new HookedWire(hook, queuePairNumber);
    }

    /** A key that peers cannot guess, not zero. */
    int newKey() {
        while (true) {
            final int key = (int) environment.randomLong();
            if (key != 0) {
                return key;
            }
        }
    }

    PeerQueuePair openPeer(final QueuePairAddress address) {
        return PeerQueuePairs.open(environment, fabric, address);
    }

    PeerProcess joinPeerProcess(final String peerFolder) {
        return peers.join(peerFolder);
    }

    RegionImports newImports(final PeerQueuePair peer) {
        return new RegionImports(environment.files(), fabric, peer.address().folder(), peer.domain());
    }

    void raise(final AsyncEventType type, final SoftwareCompletionQueue queue, final SoftwareQueuePair queuePair) {
        objects.raise(type, queue, queuePair);
    }

    private MappedMemory createFile(final String call, final String file, final long length) {
        removedFiles.ensureFolder();
        try {
            return environment.files().create(folder.resolve(file), length);
        } catch (final IOException e) {
            throw SystemRefusal.of(call, Errno.ENOMEM, "no memory", e);
        }
    }

    void deleteFile(final String call, final String file) {
        try {
            environment.files().delete(folder.resolve(file));
        } catch (final IOException e) {
            throw SystemRefusal.of(call, 0, "cannot delete " + folder.resolve(file), e);
        }
    }

    /** Unmap and delete a region that is marked closed. */
    void release(final SoftwareRegion region) {
        final RegionDescription description = region.description();
        if (quiescence.await(objects.sends())) {
            region.unmap();
        } else {
            abandonedMappings.addAndGet(region.mappings());
        }
        try {
            deleteFile("ibv_dereg_mr", FabricNames.regionHeader(description.key()));
        } finally {
            if (region.ownsData()) {
                deleteFile("ibv_dereg_mr", FabricNames.regionData(description.dataKey()));
            }
        }
    }

    /** Unmap and delete a queue pair that is marked closed. */
    void release(final SoftwareQueuePair queuePair, final List<BooleanSupplier> guards) {
        if (queuePair.peerProcess() != null) {
            peers.leave(queuePair.peerProcess());
        }
        try {
            if (quiescence.await(guards)) {
                queuePair.unmap();
            } else {
                abandonedMappings.addAndGet(queuePair.mappings());
                objects.abandon(queuePair);
            }
            deleteFile("ibv_destroy_qp", FabricNames.queuePair(queuePair.number()));
        } finally {
            // last: whoever closes a region or a queue meanwhile has to see the threads that are inside its posts
            objects.remove(queuePair);
        }
    }

    /** Unmap and delete a completion queue that is marked closed. */
    void release(
        final SoftwareCompletionQueue queue, final MappedMemory memory, final List<BooleanSupplier> guards) {
        objects.remove(queue);
        if (quiescence.await(Stream.of(guards, objects.postsAt(queue)).flatMap(List::stream).toList())) {
            memory.close();
        } else {
            abandonedMappings.incrementAndGet();
        }
        deleteFile("ibv_destroy_cq", FabricNames.completionQueue(queue.number()));
    }

    /** Unmap and delete a shared receive queue that is marked closed. */
    void release(
        final SoftwareSharedReceiveQueue queue, final MappedMemory memory, final List<BooleanSupplier> guards) {
        objects.remove(queue);
        if (quiescence.await(guards)) {
            memory.close();
        } else {
            abandonedMappings.incrementAndGet();
        }
        deleteFile("ibv_destroy_srq", FabricNames.sharedReceiveQueue(queue.number()));
    }
}
