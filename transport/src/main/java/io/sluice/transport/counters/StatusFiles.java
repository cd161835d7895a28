package io.sluice.transport.counters;

import io.sluice.environment.Environment;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * A transport's counters and errors in files that other processes of its user can read, see
 * {@link io.sluice.transport.status.StatusReader}. The conductor allocates and sets counters; {@link #errorHandler()}
 * may be called by any thread. The transport owns it and closes it when its agents have stopped; the files of a process
 * that died are removed by whoever comes next.
 */
public final class StatusFiles implements AutoCloseable {
    /** The part of the counters that links leave to the rest, see {@link #ownCapacity}. */
    private static final int OWN_SHARE = 4;

    /**
     * Attempts to make a folder: somebody who cleans up may take a new one for a dead one; more often than this is
     * somebody's bug.
     */
    private static final int MAX_ATTEMPTS = 16;

    private static final List<String> DATA = List.of(StatusLayout.COUNTERS, StatusLayout.ERRORS);

    /** The time for which a freed counter is not given to something else, as a reader may still be looking at it. */
    private static final long REUSE_AFTER_MS = 1000;

    private final Environment environment;
    private final Path parent;
    private final String clientName;
    private final ErrorLog errorLog;
    private volatile Folder current;
    /** The folder that was made anew and is not yet in use. */
    private volatile Folder restored;
    /** The folder that a new one has replaced, and that is not yet closed. */
    private volatile Folder replaced;
    private UnsafeBuffer header;
    private CountersManager manager;
    private long idHigh;
    private long idLow;
    private volatile boolean closed;

    /**
     * A transport's folder and what is in it.
     *
     * @param path          of the folder.
     * @param lock          that says that the transport lives.
     * @param counterMemory the counters' file.
     * @param errorMemory   the errors' file.
     */
    private record Folder(Path path, AutoCloseable lock, CounterMemory counterMemory, MappedMemory errorMemory) {
    }

    private StatusFiles(
        final Environment environment, final Path parent, final Folder folder, final String clientName,
        final ErrorHandler next) {
        this.environment = environment;
        this.parent = parent;
        this.clientName = clientName;
        current = folder;
        use(folder.counterMemory.address());
        errorLog = new ErrorLog(
            new UnsafeBuffer(folder.errorMemory.address(), StatusLayout.ERRORS_LENGTH), environment::epochMs, next);
    }

    private void use(final long address) {
        final int metadataLength = StatusLayout.metadataLength(StatusLayout.CAPACITY);
        header = new UnsafeBuffer(address, StatusLayout.HEADER_LENGTH);
        manager = new CountersManager(
            new UnsafeBuffer(address + StatusLayout.HEADER_LENGTH, metadataLength),
            new UnsafeBuffer(
                address + StatusLayout.HEADER_LENGTH + metadataLength,
                StatusLayout.valuesLength(StatusLayout.CAPACITY)),
            StandardCharsets.UTF_8,
            () -> clockMs(environment),
            REUSE_AFTER_MS);
    }

    /** A clock that does not go back: the wall clock would, and keep freed counters from being used again. */
    private static long clockMs(final Environment environment) {
        return TimeUnit.NANOSECONDS.toMillis(environment.nanoTime());
    }

    /**
     * Make the files of a transport, and remove those of dead ones.
     *
     * @param environment door to the machine.
     * @param directory   the shared folder; made when it does not exist.
     * @param clientName  of the transport, for people.
     * @param next        told of every error after it was recorded.
     * @return the files, owned by the caller.
     * @throws TransportException when they cannot be made; the message names the path and the reason.
     */
    public static StatusFiles create(
        final Environment environment, final Path directory, final String clientName, final ErrorHandler next) {
        final Path parent = directory.resolve(StatusLayout.FOLDER);
        final StatusFiles status =
            new StatusFiles(environment, parent, create(environment, parent), clientName, next);
        status.writeHeader();
        return status;
    }

    private static Folder create(final Environment environment, final Path parent) {
        try {
            environment.files().createDirectory(parent);
            removeDead(environment.files(), parent);
            for (int i = 0; i < MAX_ATTEMPTS; i++) {
                final Path folder = parent.resolve(
                    StatusLayout.folderName(environment.processId(), environment.randomLong()));
                final AutoCloseable lock = lock(environment.files(), folder);
                if (lock != null) {
                    return create(environment, folder, lock);
                }
            }
        } catch (final IOException ex) {
            throw new TransportException(
                ErrorKind.STORAGE, "cannot make counters in " + parent + ": " + ex.getMessage(), ex);
        }
        throw new TransportException(
            ErrorKind.STORAGE, "cannot lock a new folder in " + parent + ": attempts=" + MAX_ATTEMPTS);
    }

    /** Make and lock a folder; null when somebody has taken it for a dead one in between. */
    private static AutoCloseable lock(final SharedFiles files, final Path folder) throws IOException {
        try {
            files.createDirectory(folder);
            return files.tryLock(folder.resolve(StatusLayout.LOCK));
        } catch (final NoSuchFileException ex) {
            return null;
        }
    }

    private static Folder create(final Environment environment, final Path folder, final AutoCloseable lock)
        throws IOException {
        CounterMemory counterMemory = null;
        MappedMemory errorMemory = null;
        try {
            counterMemory = CounterMemory.create(
                environment.files(), folder.resolve(StatusLayout.COUNTERS), () -> clockMs(environment));
            errorMemory = environment.files().create(
                folder.resolve(StatusLayout.ERRORS), StatusLayout.ERRORS_LENGTH);
            return new Folder(folder, lock, counterMemory, errorMemory);
        } catch (final Throwable ex) {
            CloseHelper.quietCloseAll(counterMemory, errorMemory);
            try (AutoCloseable _ = lock) {
                environment.files().delete(folder);
            } catch (final Exception suppressed) {
                ex.addSuppressed(suppressed);
            }
            throw ex;
        }
    }

    private void writeHeader() {
        final byte[] encoded = clientName.getBytes(StandardCharsets.UTF_8);
        final byte[] name = Arrays.copyOf(encoded, Math.min(encoded.length, StatusLayout.MAX_NAME_LENGTH));
        header.putInt(StatusLayout.VERSION_OFFSET, StatusLayout.VERSION);
        header.putInt(StatusLayout.CAPACITY_OFFSET, StatusLayout.CAPACITY);
        header.putLong(StatusLayout.PROCESS_ID_OFFSET, environment.processId());
        header.putLong(StatusLayout.STARTED_OFFSET, environment.epochMs());
        header.putInt(StatusLayout.NAME_LENGTH_OFFSET, name.length);
        header.putBytes(StatusLayout.NAME_OFFSET, name);
        header.putLongRelease(StatusLayout.MAGIC_OFFSET, StatusLayout.MAGIC);
    }

    /**
     * Removes folders of transports whose lock nobody holds: their process is dead, or has not yet begun to use them.
     */
    private static void removeDead(final SharedFiles files, final Path parent) throws IOException {
        for (final Path folder : files.list(parent)) {
            if (StatusLayout.isTransportFolder(folder)) {
                try {
                    files.deleteIfUnlocked(folder, folder.resolve(StatusLayout.LOCK), StatusLayout.processIdOf(folder));
                } catch (final IOException ex) {
                    // Not ours to delete, then: it takes room, but nothing here will use it.
                    continue;
                }
            }
        }
    }

    /**
     * Tell who the transport is. Conductor, once.
     *
     * @param high upper half of its identity.
     * @param low  lower half.
     */
    public void transportId(final long high, final long low) {
        idHigh = high;
        idLow = low;
        header.putLong(StatusLayout.ID_HIGH_OFFSET, high);
        header.putLong(StatusLayout.ID_LOW_OFFSET, low);
    }

    /** Note that all counters were brought up to date just now. Conductor. */
    public void onRefreshed() {
        header.putLongRelease(StatusLayout.REFRESHED_OFFSET, environment.epochMs());
    }

    /**
     * The room for more counters, for which memory is added when it runs out. Conductor.
     *
     * @return how many can still be allocated.
     */
    public int available() {
        return current.counterMemory.room(manager.available());
    }

    /** {@return the name of the folder, another one when somebody has removed that} Any thread. */
    public String folder() {
        return String.valueOf(current.path.getFileName());
    }

    /**
     * Counters that links leave to the publications and subscriptions of the transport, a quarter of all. Peers ask
     * for links, and one of them may have as many as take all counters. A quarter is 1280 publications or 2048
     * subscriptions, and still leaves some 5000 links to be looked at. The counters of the transport and its agents,
     * there from the beginning, come from the other three quarters. Conductor.
     *
     * @return how many; fewer while the disk is full.
     */
    public int ownCapacity() {
        return current.counterMemory.capacity() / OWN_SHARE;
    }

    /**
     * Allocate a counter. Conductor.
     *
     * @param type  of the counter.
     * @param key   whose it is.
     * @param label its whole label; a long one is cut.
     * @return the counter, to be closed when what it counts is gone.
     * @throws IllegalStateException when there is no room, see {@link #available()}.
     */
    public AtomicCounter allocate(final CounterType type, final CounterKey key, final String label) {
        final AtomicCounter counter =
            manager.newCounter(label, type.typeId(), buffer -> CounterKeys.write(key, buffer));
        manager.setCounterRegistrationId(counter.id(), key.group());
        current.counterMemory.onUsed(counter.id());
        return counter;
    }

    /**
     * Allocate the place of an application's counter. Conductor.
     *
     * @param counter to show.
     * @return its place, to be closed when the counter is.
     * @throws IllegalStateException when there is no room, see {@link #available()}.
     */
    public AtomicCounter allocate(final ApplicationCounter counter) {
        final AtomicCounter place = manager.newCounter(counter.label(), counter.typeId(), buffer -> {
            buffer.setMemory(0, CountersReader.MAX_KEY_LENGTH, (byte) 0);
            buffer.putBytes(0, counter.key());
        });
        manager.setCounterRegistrationId(place.id(), counter.registrationId());
        current.counterMemory.onUsed(place.id());
        return place;
    }

    /**
     * Copy the counters as they were last brought up to date. Any thread.
     *
     * @return a reader of the copy, which no close takes the memory from.
     * @throws IllegalStateException after {@link #close()}.
     */
    public synchronized CountersReader copy() {
        if (closed) {
            throw new IllegalStateException("the counters are closed: directory=" + parent.getParent());
        }
        final long metadata = current.counterMemory.address() + StatusLayout.HEADER_LENGTH;
        final CountersReader live = new CountersReader(
            new UnsafeBuffer(metadata, StatusLayout.metadataLength(StatusLayout.CAPACITY)),
            new UnsafeBuffer(metadata + StatusLayout.metadataLength(StatusLayout.CAPACITY),
                StatusLayout.valuesLength(StatusLayout.CAPACITY)), StandardCharsets.UTF_8);
        int count = 0;
        while (count < StatusLayout.CAPACITY && live.getCounterState(count) != CountersReader.RECORD_UNUSED) {
            count++;
        }
        final byte[] metadataCopy = new byte[StatusLayout.metadataLength(count)];
        live.metaDataBuffer().getBytes(0, metadataCopy);
        final byte[] values = new byte[StatusLayout.valuesLength(count)];
        live.valuesBuffer().getBytes(0, values);
        return new CountersReader(
            new UnsafeBuffer(metadataCopy), new UnsafeBuffer(values), StandardCharsets.UTF_8);
    }

    /**
     * Look whether somebody has removed the files. May block; see {@link #restore}.
     *
     * @return for people: the path of what is gone, and what that means; else null.
     */
    public String missing() {
        final Path folder = current.path;
        if (closed || restored != null) {
            return null;
        }
        if (!environment.files().isLocked(folder.resolve(StatusLayout.LOCK))) {
            return describe(environment.files().exists(folder) ? folder.resolve(StatusLayout.LOCK) : folder);
        }
        for (final String name : DATA) {
            if (!environment.files().exists(folder.resolve(name))) {
                return describe(folder.resolve(name));
            }
        }
        return null;
    }

    private static String describe(final Path gone) {
        return gone + ", which \"./sluice stat\" and \"errors\" read: they do not show this transport";
    }

    /**
     * Make new files where some were removed; {@link #takeRestored} then begins to use them. May block; one thread,
     * which runs no more when these are closed.
     *
     * @throws TransportException when they cannot be made.
     */
    public void restore() {
        if (missing() != null) {
            restored = create(environment, parent);
        }
    }

    /**
     * Use the files that were made anew, if there are some: all counters are to be allocated again then, and
     * {@link #closeReplaced} is to be called when nobody sets the earlier ones any more. Conductor.
     *
     * @return true when there are new files.
     */
    public boolean takeRestored() {
        final Folder next = restored;
        if (next == null || closed) {
            return false;
        }
        replaced = current;
        current = next;
        restored = null;
        use(next.counterMemory.address());
        errorLog.replace(
            new UnsafeBuffer(next.errorMemory.address(), StatusLayout.ERRORS_LENGTH), environment::epochMs);
        writeHeader();
        transportId(idHigh, idLow);
        return true;
    }

    /** Remove what is left of the files that others took the place of. May block; see {@link #restore}. */
    public void closeReplaced() {
        final Folder old = replaced;
        replaced = null;
        close(old);
    }

    /** Closes a folder, under the lock, so that nobody copies counters from memory that goes. */
    private synchronized void close(final Folder folder) {
        if (folder != null) {
            CloseHelper.closeAll(
                () -> environment.files().delete(folder.path), folder.counterMemory, folder.errorMemory, folder.lock);
        }
    }

    /**
     * The handler to tell of errors.
     *
     * @return records an error and passes it on; also after {@link #close()}, when it only passes it on.
     */
    public RepeatedErrorHandler errorHandler() {
        return errorLog;
    }

    /**
     * Whether the files are gone, and counters must not be set any more.
     *
     * @return true after {@link #close()}.
     */
    public boolean isClosed() {
        return closed;
    }

    /** Remove the files; idempotent. When no agent sets counters any more. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        errorLog.close();
        CloseHelper.closeAll(this::closeReplaced, () -> close(restored), () -> close(current));
    }
}
