package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.MappedMemory;
import io.sluice.verbs.Errno;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * An open device for what is made of it: where it lies, who its peers are, and whether it is still there. It knows none
 * of the objects. Any thread may call.
 */
final class DeviceContext {
    private final Environment environment;
    private final Path fabric;
    private final FaultHook hook;
    private final ProcessFolder folder;
    private final ServiceDirectory services;
    private final PeerProcesses peers;
    private final RemovedFiles removedFiles;
    private final Quiescence quiescence;
    private final DevicePresence presence;
    private final AtomicInteger nextNumber = new AtomicInteger(1);
    private final AtomicInteger raisedEvents = new AtomicInteger();
    private final AtomicLong abandonedMappings = new AtomicLong();

    /**
     * Make the folder of a device.
     *
     * @param directory of the fabric.
     * @param hook      asked for every operation, or null.
     */
    DeviceContext(
        final Environment environment, final Path directory, final FaultHook hook, final DevicePresence presence) {
        this.environment = environment;
        this.hook = hook;
        this.presence = presence;
        fabric = directory.toAbsolutePath().normalize();
        folder = ProcessFolder.create(environment, fabric);
        services = new ServiceDirectory(environment, fabric);
        peers = new PeerProcesses(environment.files(), fabric, folder.name());
        removedFiles = new RemovedFiles(environment, fabric, folder);
        quiescence = new Quiescence(environment);
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

    ServiceDirectory services() {
        return services;
    }

    PeerProcesses peers() {
        return peers;
    }

    RemovedFiles removedFiles() {
        return removedFiles;
    }

    void checkOpen(final String call) {
        presence.checkOpen(call);
    }

    /** A number for an object. */
    int newNumber() {
        return nextNumber.getAndIncrement();
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

    /** Events of a new object. */
    AsyncEvents newEvents() {
        return new AsyncEvents(raisedEvents);
    }

    /** Device's duty: whether there may be events to deliver; counts anew then. */
    boolean takeRaised() {
        return raisedEvents.get() != 0 && raisedEvents.getAndSet(0) != 0;
    }

    /** Device's duty: notes that there may be events to deliver still, as a handler has thrown. */
    void raiseAgain() {
        raisedEvents.incrementAndGet();
    }

    Wire newWire(final int queuePairNumber) {
        return hook == null ? new DirectWire() : new HookedWire(hook, queuePairNumber);
    }

    PeerQueuePair openPeer(final QueuePairAddress address) {
        return PeerQueuePairs.open(environment, fabric, address);
    }

    /** Whether this device's folder has a file. */
    boolean hasFile(final String file) {
        return environment.files().exists(folder.resolve(file));
    }

    /** Whether the folder of a device has a file. */
    boolean hasFile(final String processFolder, final String file) {
        return environment.files().exists(fabric.resolve(processFolder).resolve(file));
    }

    /** Make a file of the folder for a verb, see {@link #newFile}. */
    MappedMemory createFile(final String call, final String file, final long length) {
        try {
            return newFile(file, length);
        } catch (final IOException e) {
            throw SystemRefusal.of(call, Errno.ENOMEM, "no memory", e);
        }
    }

    /** Make a file of the folder, which is made anew first when it is gone. */
    MappedMemory newFile(final String file, final long length) throws IOException {
        final Path path = folder.resolve(file);
        try {
            return environment.files().create(path, length);
        } catch (final NoSuchFileException e) {
            // not asked before: a link makes a dozen files
            removedFiles.ensureFolder();
            return environment.files().create(path, length);
        }
    }

    void deleteFile(final String call, final String file) {
        try {
            environment.files().delete(folder.resolve(file));
        } catch (final IOException e) {
            throw SystemRefusal.of(call, 0, "cannot delete " + folder.resolve(file), e);
        }
    }

    /** Wait until no thread is inside, see {@link Quiescence#await}. */
    boolean awaitQuiet(final List<BooleanSupplier> guards) {
        return quiescence.await(guards);
    }

    /** Mappings stay until the process ends, because a thread did not come back. */
    void abandon(final int mappings) {
        abandonedMappings.addAndGet(mappings);
    }

    long abandonedMappings() {
        return abandonedMappings.get();
    }
}
