package io.sluice.environment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Locks of files that are dropped when their process dies, and by nothing else that anybody in the process does. Any
 * thread may call.
 * <p>
 * On Linux they are open file description locks, see {@link LockCalls}. Where there are none, or native code may not be
 * called, they are those of the process, which closing <em>any</em> descriptor of the file drops: files that are locked
 * so are remembered for all class loaders of the JVM, among the system properties, and not opened by this package; what
 * somebody else opens and closes, the owner's name makes up for.
 * <p>
 * The file names its owner, see {@link LockOwner}. A process that is known to live owns the file whatever the lock
 * says. One that is known to be dead does not, although a child that it forked without executing another program may
 * have inherited the lock. Of a process that cannot be judged, as in another PID namespace, the lock says whether it
 * lives.
 * <p>
 * A question about a lock of the process can only be asked by taking it, which would make the rightful owner fail at
 * that moment. So two bytes are locked: those who want to own contend for the first, which decides; the owner then
 * names itself and takes the second, the only one that a question touches, and waits for questions under way. Who holds
 * the second is whom the file names. A third byte is for whoever replaces a file that a dead owner's child has locked.
 */
final class SystemLocks {
    /**
     * The most attempts at a lock: files may be deleted and made anew by others while we lock them; more often than
     * this is somebody's bug.
     */
    private static final int MAX_ATTEMPTS = 16;

    /**
     * The most attempts to find a file's holder: a question holds the second byte for microseconds; longer than a
     * second is a process stopped meanwhile.
     */
    private static final int MAX_HOLDER_ATTEMPTS = 1000;
    private static final long HOLDER_RETRY_NS = 1_000_000;

    /**
     * The time in milliseconds for which a folder without a lock file is left alone: ten times what its owner takes to
     * make it anew.
     */
    private static final long UNLOCKED_MS = 10_000;

    /**
     * The prefix of system properties, one for each file that is locked by the process: class loaders have no other
     * place.
     */
    private static final String HELD_PREFIX = "io.sluice.lock.";

    /** The monitor of all class loaders of the JVM, which have this one string. */
    private static final Object MONITOR = "io.sluice.environment.SystemLocks.MONITOR".intern();

    /** Channels of the files that this class has locked with locks of the process, so that they can be mapped. */
    private static final Map<Object, FileChannel> CHANNELS = new HashMap<>();

    /** The answer that says to try again: the file has another name or none since it was opened. */
    private static final AutoCloseable AGAIN = () -> { };

    private SystemLocks() {
    }

    /** Take the lock of a file, creating it; null when it is held. */
    static AutoCloseable tryLock(final Path file) throws IOException {
        synchronized (MONITOR) {
            for (int i = 0; i < MAX_ATTEMPTS; i++) {
                final FileStatus status = findOrCreate(file);
                if (status == null) {
                    continue;
                }
                status.requireOwnFile(file);
                if (isHeldByProcess(status)) {
                    return null;
                }
                final LockFile opened = open(file, true);
                if (opened == null) {
                    continue;
                }
                final AutoCloseable taken = take(opened, file, status);
                if (taken != AGAIN) {
                    return taken;
                }
            }
            throw new IOException("file was replaced again and again while it was locked: path=" + file + " attempts="
                + MAX_ATTEMPTS);
        }
    }

    /** Take the lock of an open file: the lock, null when it is held, or {@link #AGAIN} when the file was replaced. */
    private static AutoCloseable take(final LockFile opened, final Path file, final FileStatus status)
        throws IOException {
        boolean isKept = false;
        try {
            if (!opened.tryLock(LockFile.CONTENDER_BYTE)) {
                if (!opened.isHeld() || stateOf(opened.owner()) != LockOwner.State.DEAD) {
                    return null;
                }
                replace(opened, file, status);
            } else if (status.isSameFile(FileStatus.find(file))) {
                // whoever holds the lock of a file that has lost its name holds nothing
                if (stateOf(opened.owner()) == LockOwner.State.ALIVE) {
                    return null;
                }
                name(opened, LockOwner.current());
                lockHolder(opened, file);
                isKept = true;
                return new HeldLock(status.key(), opened);
            }
            return AGAIN;
        } finally {
            if (!isKept) {
                opened.close();
            }
        }
    }

    /**
     * Whether the owner of a file lives. What cannot be examined counts as held: callers delete what is not. Whoever
     * asks waits for nobody who is inside here where a question leaves locks alone, see {@link LockCalls}.
     */
    static boolean isLocked(final Path file) {
        if (LockCalls.instance() != null) {
            return isLockedNow(file);
        }
        synchronized (MONITOR) {
            return isLockedNow(file);
        }
    }

    private static boolean isLockedNow(final Path file) {
        try {
            final FileStatus status = FileStatus.find(file);
            if (status == null) {
                return false;
            }
            if (isHeldByProcess(status)) {
                return true;
            }
            status.requireOwnFile(file);
            final LockFile opened = open(file, false);
            if (opened == null) {
                return false;
            }
            try {
                return isLocked(opened);
            } finally {
                opened.close();
            }
        } catch (final IOException e) {
            return true;
        }
    }

    /** Keep an eye on a lock; see {@link SharedFiles#watch}. */
    static LockWatch watch(final Path file, final long processId) {
        LockWatch held = null;
        try {
            held = findHeld(file);
        } catch (final IOException e) {
            // out of descriptors, perhaps: it is tried again by whoever asks
            return new NameWatch(file, processId);
        }
        return held == null ? new NameWatch(file, processId) : held;
    }

    /** A watch of a file whose lock is held; null when it is not, or the file not there. */
    private static LockWatch findHeld(final Path file) throws IOException {
        LockWatch found = null;
        if (LockCalls.instance() == null) {
            synchronized (MONITOR) {
                found = find(file);
            }
        } else {
            found = find(file);
        }
        if (found != null && !found.isHeld()) {
            found.close();
            found = null;
        }
        return found;
    }

    private static LockWatch find(final Path file) throws IOException {
        final FileStatus status = FileStatus.find(file);
        if (status != null && isHeldByProcess(status)) {
            return new PropertyWatch(heldProperty(status.key()));
        }
        final LockFile opened = status == null ? null : open(file, false);
        return opened == null ? null : new SystemLockWatch(opened);
    }

    /**
     * Whether a file's lock is held. The lock is asked before the name is read: who has the second byte has been named.
     */
    static boolean isLocked(final LockFile opened) throws IOException {
        final boolean isHeld = opened.isHeld();
        final boolean isContended = !isHeld && opened.isContended();
        return switch (stateOf(opened.owner())) {
            case ALIVE -> true;
            case DEAD -> isContended;
            case UNKNOWN -> isHeld || isContended;
        };
    }

    /** Delete a directory unless the owner of a lock file in it lives; nobody can take that lock meanwhile. */
    static boolean deleteIfUnlocked(final Path directory, final Path lockFile, final long processId)
        throws IOException {
        final Deletion deletion = Deletion.find(directory);
        if (deletion == null) {
            return true;
        }
        final FileStatus status = deletion.status();
        if (!status.isDirectory()) {
            deletion.deleteFile();
            return true;
        }
        status.requireOwnDirectory(directory);
        if (FileStatus.find(lockFile) == null && (isProcess(processId) || hasJustChanged(directory))) {
            // it may have lost its lock file, or not have made it yet; of another PID namespace no process is seen
            return false;
        }
        try (AutoCloseable lock = tryLock(lockFile)) {
            if (lock == null || !status.isSameFile(FileStatus.find(directory))) {
                return false;
            }
            deletion.delete();
            return true;
        } catch (final NoSuchFileException e) {
            return true;
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Exception e) {
            throw new IOException(e);
        }
    }

    /** Map a file that only this user may use, whole, unless it is longer than its kind may be. */
    static SystemMappedMemory map(final Path file, final Mapping.Use use, final long maxLength) throws IOException {
        synchronized (MONITOR) {
            final FileStatus status = FileStatus.of(file);
            status.requireOwnFile(file);
            if (status.size() == 0) {
                throw new IOException("file is empty: path=" + file);
            }
            status.requireNobodyElse(file);
            if (status.size() > maxLength) {
                throw new IOException("file is longer than its kind can be: path=" + file + " bytes="
                    + status.size() + " maximum=" + maxLength
                    + "; it is none of Sluice's, or somebody has damaged it: delete it");
            }
            final FileChannel held = CHANNELS.get(status.key());
            if (held != null) {
                return Mapping.map(held, file, use, status.size());
            }
            if (isHeldByProcess(status)) {
                throw new IOException("another class loader of this JVM has locked the file: path=" + file);
            }
            final FileCalls calls = FileCalls.instance();
            if (calls != null) {
                return map(calls, file, use, status);
            }
            try (FileChannel channel = ChannelLockFile.open(file, use.isWritable())) {
                status.requireStillAt(file);
                return Mapping.map(channel, file, use, status.size());
            }
        }
    }

    private static SystemMappedMemory map(
        final FileCalls calls, final Path file, final Mapping.Use use, final FileStatus status) throws IOException {
        final int descriptor = calls.open(file, use.isWritable());
        try {
            status.requireStillAt(file);
            return Mapping.map(calls, descriptor, file, use, status.size());
        } finally {
            calls.close(descriptor);
        }
    }

    /** Whether a name was added or removed a moment ago: the owner of a lock file makes it anew each second. */
    private static boolean hasJustChanged(final Path directory) throws IOException {
        try {
            final long changedMs = Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).toMillis();
            return System.currentTimeMillis() - changedMs < UNLOCKED_MS;
        } catch (final NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isProcess(final long processId) {
        final LockCalls calls = LockCalls.instance();
        return calls == null ? ProcessHandle.of(processId).isPresent() : !calls.isNoProcess(processId);
    }

    private static FileStatus findOrCreate(final Path file) throws IOException {
        final FileStatus status = FileStatus.find(file);
        if (status != null) {
            return status;
        }
        try {
            Files.createFile(file, NewFile.PRIVATE_FILE);
            NewFile.keepOwnerPermissions(file, NewFile.PRIVATE_FILE.value());
        } catch (final FileAlreadyExistsException e) {
            // Somebody else was quicker; theirs serves as well.
        }
        return FileStatus.find(file);
    }

    /** Opens the file of a lock; null when it is gone. */
    private static LockFile open(final Path file, final boolean isWritable) throws IOException {
        try {
            final LockCalls calls = LockCalls.instance();
            return calls == null
                ? new ChannelLockFile(file, isWritable) : new DescriptorLockFile(calls, file, isWritable);
        } catch (final NoSuchFileException e) {
            return null;
        }
    }

    private static LockOwner.State stateOf(final LockOwner owner) {
        return owner == null ? LockOwner.State.UNKNOWN : owner.state(LockCalls.instance());
    }

    private static String heldProperty(final Object key) {
        return HELD_PREFIX + key;
    }

    private static boolean isHeldByProcess(final FileStatus status) {
        return System.getProperty(heldProperty(status.key())) != null;
    }

    /**
     * Names the owner in its file. One that cannot be named, as on a full disk, has the lock all the same, which alone
     * says that it lives.
     */
    private static void name(final LockFile opened, final LockOwner owner) {
        try {
            opened.name(owner);
        } catch (final IOException e) {
            return;
        }
    }

    private static void lockHolder(final LockFile opened, final Path file) throws IOException {
        for (int i = 0; i < MAX_HOLDER_ATTEMPTS; i++) {
            if (opened.tryLock(LockFile.HOLDER_BYTE)) {
                return;
            }
            LockSupport.parkNanos(HOLDER_RETRY_NS);
        }
        name(opened, null);
        throw new IOException("a process that asks for the lock of a file does not let go: path=" + file
            + "; look for a stopped process that has it open (lsof)");
    }

    /** Take the name from a file that a dead owner's child has locked. One at a time, or a new file might lose it. */
    private static void replace(final LockFile opened, final Path file, final FileStatus status) throws IOException {
        if (opened.tryLock(LockFile.REPLACER_BYTE)) {
            Deletion.deleteFile(file, status);
        }
    }

    /**
     * Watch of a lock that this process holds, perhaps by another class loader, and whose file must not be opened.
     *
     * @param property that stands for it.
     */
    private record PropertyWatch(String property) implements LockWatch {
        @Override
        public boolean isHeld() {
            return System.getProperty(property) != null;
        }

        @Override
        public void close() {
            // nothing is held open
        }
    }

    /** Watch of a file that is not there, not locked yet, or could not be opened: it is looked for until it is. */
    private static final class NameWatch implements LockWatch {
        private final Path file;
        private final long processId;
        /** The watch of the lock; null until the lock was held. */
        private LockWatch held;
        private boolean isClosed;

        private NameWatch(final Path file, final long processId) {
            this.file = file;
            this.processId = processId;
        }

        /**
         * Whether the lock is held. Somebody may have removed the file of a living owner, which makes it anew within
         * moments.
         */
        @Override
        public boolean isHeld() {
            if (isClosed) {
                return false;
            }
            try {
                held = held == null ? findHeld(file) : held;
                return held == null ? isHeldUnseen() : held.isHeld();
            } catch (final IOException e) {
                return true;
            }
        }

        /**
         * Asks the file when it has had an owner: the id may be another process' by now, or that of one in another
         * namespace. Goes by the id when the file is not there or not taken yet; one that was replaced counts as held.
         */
        private boolean isHeldUnseen() throws IOException {
            final FileStatus status = FileStatus.find(file);
            if (status == null || status.size() == 0) {
                return isProcess(processId);
            }
            return isLocked(file) || !status.isSameFile(FileStatus.find(file));
        }

        @Override
        public void close() {
            isClosed = true;
            if (held != null) {
                held.close();
            }
        }
    }

    private static final class HeldLock implements AutoCloseable {
        private final Object key;
        private final LockFile file;
        private boolean isClosed;

        private HeldLock(final Object key, final LockFile file) {
            this.key = key;
            this.file = file;
            if (file instanceof ChannelLockFile locked) {
                System.setProperty(heldProperty(key), Long.toString(ProcessHandle.current().pid()));
                CHANNELS.put(key, locked.channel());
            }
        }

        @Override
        public void close() throws IOException {
            synchronized (MONITOR) {
                if (isClosed) {
                    return;
                }
                isClosed = true;
                // first, while nobody else can be named
                name(file, null);
                if (CHANNELS.remove(key) != null) {
                    System.clearProperty(heldProperty(key));
                }
                file.close();
            }
        }
    }
}
