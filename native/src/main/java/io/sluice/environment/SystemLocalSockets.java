package io.sluice.environment;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Unix domain sockets. A listener holds the lock of a hidden file next to its path for as long as it lives: two
 * processes that find the path of a dead one cannot both clear it away.
 */
final class SystemLocalSockets implements LocalSockets {
    /**
     * The longest path of a socket in bytes: Linux takes 107 bytes, macOS 103; one bound for both, with a little to
     * spare.
     */
    private static final int MAX_PATH_LENGTH = 100;

    @Override
    public LocalListener listen(final Path path, final int backlog) throws IOException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog=" + backlog + " must be at least 1: path=" + path);
        }
        requireShort(path);
        final Path parent = SystemFiles.requirePrivateParent(path);
        final Path lockFile = parent.resolve(SystemFiles.HIDDEN_PREFIX + "lock-" + path.getFileName());
        final AutoCloseable lock = SystemLocks.tryLock(lockFile);
        if (lock == null) {
            throw taken(path);
        }
        boolean isListening = false;
        try {
            clearStale(path);
            final LocalListener listener = listen(path, backlog, lockFile, lock);
            isListening = true;
            return listener;
        } finally {
            if (!isListening) {
                release(lockFile, lock);
            }
        }
    }

    @Override
    public LocalSocket connect(final Path path) throws IOException {
        requireShort(path);
        final FileStatus status = FileStatus.find(path);
        if (status == null) {
            throw new NoSuchFileException(path.toString(), null, "nobody listens there");
        }
        status.requireOwnSocket(path);
        return new SystemLocalSocket(connectChannel(path), null);
    }

    /** Give up a listener's lock; the file goes first, while nobody else can hold it. */
    static void release(final Path lockFile, final AutoCloseable lock) throws IOException {
        try {
            Deletion.deleteFile(lockFile);
        } finally {
            close(lockFile, lock);
        }
    }

    static void close(final Path lockFile, final AutoCloseable lock) throws IOException {
        try (lock) {
            // only closed
        } catch (final IOException e) {
            throw e;
        } catch (final Exception e) {
            throw new IOException("cannot release lock: path=" + lockFile, e);
        }
    }

    private static LocalListener listen(
        final Path path, final int backlog, final Path lockFile, final AutoCloseable lock) throws IOException {
        final ServerSocketChannel channel = bind(path, backlog);
        LocalListener listener = null;
        try {
            listener = new SystemLocalListener(channel, path, backlog, lockFile, lock);
            return listener;
        } finally {
            if (listener == null) {
                channel.close();
                Files.deleteIfExists(path);
            }
        }
    }

    /** A channel that listens at a path, private to this user. */
    static ServerSocketChannel bind(final Path path, final int backlog) throws IOException {
        final ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        boolean isBound = false;
        boolean isListening = false;
        try {
            channel.configureBlocking(false);
            channel.bind(UnixDomainSocketAddress.of(path), backlog);
            isBound = true;
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            isListening = true;
            return channel;
        } finally {
            if (!isListening) {
                channel.close();
                if (isBound) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** Remove the socket of a dead process. Only a program that does not use the lock can be alive behind it. */
    private static void clearStale(final Path path) throws IOException {
        final Deletion deletion = Deletion.find(path);
        if (deletion == null) {
            return;
        }
        deletion.status().requireOwnSocket(path);
        try {
            connectChannel(path).close();
        } catch (final ConnectException e) {
            deletion.deleteFile();
            return;
        }
        throw taken(path);
    }

    private static SocketChannel connectChannel(final Path path) throws IOException {
        final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean isConnected = false;
        IOException cause = null;
        try {
            channel.configureBlocking(false);
            isConnected = channel.connect(UnixDomainSocketAddress.of(path));
        } catch (final ConnectException e) {
            final ConnectException refused = new ConnectException(
                "nobody listens there, its process has died: path=" + path + " cause=" + e.getMessage());
            refused.initCause(e);
            throw refused;
        } catch (final IOException e) {
            cause = e;
        } finally {
            if (!isConnected) {
                channel.close();
            }
        }
        if (!isConnected) {
            // Unlike TCP, it is done or refused at once: "in progress" and EAGAIN both are the backlog.
            throw new IOException("cannot connect: path=" + path + " cause="
                + (cause == null ? "not at once" : cause.getMessage())
                + "; when the backlog of the listener is full, try again later", cause);
        }
        return channel;
    }

    private static IOException taken(final Path path) {
        return new FileAlreadyExistsException(
            path.toString(), null, "a living process listens there; choose another path");
    }

    private static void requireShort(final Path path) throws IOException {
        final int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_PATH_LENGTH) {
            throw new IOException("path of a socket is too long: length=" + length + " bytes, at most "
                + MAX_PATH_LENGTH + ": path=" + path + "; choose a shorter directory");
        }
    }
}
