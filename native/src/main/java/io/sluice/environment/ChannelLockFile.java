package io.sluice.environment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A lock file with the locks of the process, where there are no others: closing any descriptor of the file drops them,
 * so nobody may open a file that this process has locked.
 */
final class ChannelLockFile implements LockFile {
    private final FileChannel channel;

    ChannelLockFile(final Path file, final boolean isWritable) throws IOException {
        channel = open(file, isWritable);
    }

    /** Open a file, not through a symbolic link. */
    static FileChannel open(final Path file, final boolean isWritable) throws IOException {
        return isWritable
            ? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)
            : FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public boolean tryLock(final long index) throws IOException {
        try {
            return channel.tryLock(index, 1, false) != null;
        } catch (final OverlappingFileLockException e) {
            // held by this process through something other than this package
            return false;
        }
    }

    /** Whether the lock is held, which is asked by taking it; owners wait for that. */
    @Override
    public boolean isHeld() throws IOException {
        try (FileLock lock = channel.tryLock(HOLDER_BYTE, 1, true)) {
            return lock == null;
        } catch (final OverlappingFileLockException e) {
            return true;
        }
    }

    /** Answers false without asking: taking the byte of contenders would make a rightful owner fail. */
    @Override
    public boolean isContended() {
        return false;
    }

    @Override
    public LockOwner owner() throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocate(LockOwner.LENGTH);
        if (Thread.currentThread().isInterrupted()) {
            Mapping.uninterrupted(() -> channel.read(buffer, 0));
        } else {
            channel.read(buffer, 0);
        }
        return LockOwner.parse(Arrays.copyOf(buffer.array(), buffer.position()));
    }

    @Override
    public void name(final LockOwner owner) throws IOException {
        final ByteBuffer buffer = ByteBuffer.wrap(owner == null ? new byte[LockOwner.LENGTH] : owner.encode());
        Mapping.uninterrupted(() -> channel.write(buffer, 0));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
