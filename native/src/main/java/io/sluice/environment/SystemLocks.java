package io.sluice.environment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Locks of files, as fcntl(2) has them: the operating system drops them when the process dies. Any thread may call.
 * <p>
 * Such locks belong to the process, and closing <em>any</em> descriptor of the file drops them. So the files that this
 * process has locked are remembered here, questions about them are answered without opening them, and whoever must open
 * a file that may be locked does so through {@link #map(Path, boolean)}. Code outside this class must not open them.
 * <p>
 * A question can only be asked by taking the lock, which would make the rightful owner fail at that moment. So two
 * bytes are locked: those who want to own contend for the first, which decides; the owner then also takes the second,
 * the only one that a question touches, and waits for questions under way.
 */
final class SystemLocks {
    private static final long CONTENDER_BYTE = 0;
    private static final long HOLDER_BYTE = 1;

    /** Files may be deleted and made anew by others while we lock them; more often than this is somebody's bug. */
    private static final int MAX_ATTEMPTS = 16;

    /** A question holds the second byte for microseconds; longer than a second is a process stopped meanwhile. */
    private static final int MAX_HOLDER_ATTEMPTS = 1000;
    private static final long HOLDER_RETRY_NS = 1_000_000;

    private static final Map<Object, HeldLock> HELD = new HashMap<>();

    private SystemLocks() {
    }

    /** Take the lock of a file, creating it; null when it is held. */
    static synchronized AutoCloseable tryLock(final Path file) throws IOException {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            final FileStatus status = findOrCreate(file);
            if (status == null) {
                continue;
            }
            status.requireOwnFile(file);
            if (HELD.containsKey(status.key())) {
                return null;
            }
            final FileChannel channel = openExisting(file, true);
            if (channel == null) {
                continue;
            }
            boolean isHeld = false;
            try {
                if (!lockBoth(channel, file)) {
                    return null;
                }
                // Whoever holds the lock of a file that has lost its name holds nothing.
                if (status.isSameFile(FileStatus.find(file))) {
                    final HeldLock lock = new HeldLock(status.key(), channel);
                    HELD.put(status.key(), lock);
                    isHeld = true;
                    return lock;
                }
            } finally {
                if (!isHeld) {
                    channel.close();
                }
            }
        }
        throw new IOException("file was replaced again and again while it was locked: path=" + file + " attempts="
            + MAX_ATTEMPTS);
    }

    /** Whether the lock of a file is held. What cannot be examined counts as held: callers delete what is not. */
    static synchronized boolean isLocked(final Path file) {
        try {
            final FileStatus status = FileStatus.find(file);
            if (status == null) {
                return false;
            }
            if (HELD.containsKey(status.key())) {
                return true;
            }
            status.requireOwnFile(file);
            try (FileChannel channel = openExisting(file, false)) {
                return channel != null && channel.tryLock(HOLDER_BYTE, 1, true) == null;
            }
        } catch (final IOException | OverlappingFileLockException e) {
            return true;
        }
    }

    /** Map a file that only this user may use, whole. */
    static synchronized SystemMappedMemory map(final Path file, final boolean isWritable) throws IOException {
        final FileStatus status = FileStatus.of(file);
        status.requireOwnFile(file);
        if (status.size() == 0) {
            throw new IOException("file is empty: path=" + file);
        }
        status.requireNobodyElse(file);
        final HeldLock held = HELD.get(status.key());
        if (held != null) {
            return Mapping.map(held.channel, isWritable, status.size());
        }
        try (FileChannel channel = openExisting(file, isWritable)) {
            if (channel == null || !status.isSameFile(FileStatus.find(file))) {
                throw new NoSuchFileException(file.toString(), null, "it was replaced while it was opened");
            }
            return Mapping.map(channel, isWritable, status.size());
        }
    }

    private static FileStatus findOrCreate(final Path file) throws IOException {
        final FileStatus status = FileStatus.find(file);
        if (status != null) {
            return status;
        }
        try {
            Files.createFile(file, SystemFiles.PRIVATE_FILE);
        } catch (final FileAlreadyExistsException e) {
            // Somebody else was quicker; theirs serves as well.
        }
        return FileStatus.find(file);
    }

    private static FileChannel openExisting(final Path file, final boolean isWritable) throws IOException {
        try {
            return isWritable
                ? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)
                : FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (final NoSuchFileException e) {
            return null;
        }
    }

    private static boolean lockBoth(final FileChannel channel, final Path file) throws IOException {
        try {
            if (channel.tryLock(CONTENDER_BYTE, 1, false) == null) {
                return false;
            }
            for (int i = 0; i < MAX_HOLDER_ATTEMPTS; i++) {
                if (channel.tryLock(HOLDER_BYTE, 1, false) != null) {
                    return true;
                }
                LockSupport.parkNanos(HOLDER_RETRY_NS);
            }
        } catch (final OverlappingFileLockException e) {
            // Held by this process through something other than this class.
            return false;
        }
        throw new IOException("a process that asks for the lock of a file does not let go: path=" + file
            + "; look for a stopped process that has it open (lsof)");
    }

    private static final class HeldLock implements AutoCloseable {
        private final Object key;
        private final FileChannel channel;

        private HeldLock(final Object key, final FileChannel channel) {
            this.key = key;
            this.channel = channel;
        }

        @Override
        public void close() throws IOException {
            synchronized (SystemLocks.class) {
                HELD.remove(key, this);
                channel.close();
            }
        }
    }
}
