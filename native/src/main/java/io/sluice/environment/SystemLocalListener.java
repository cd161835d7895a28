package io.sluice.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** A listening Unix domain socket and the selector that watches it and the sockets accepted from it. */
final class SystemLocalListener implements LocalListener {
    private static final long NS_PER_MS = 1_000_000;

    private final Path path;
    private final int backlog;
    private final Path lockFile;
    private ServerSocketChannel channel;
    /** The channel that has lost its path, and may have clients that are not accepted yet; null when there are none. */
    private ServerSocketChannel previous;
    private volatile FileStatus status;
    private AutoCloseable lock;
    private final Selector selector;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile boolean hasClosedSockets;

    SystemLocalListener(
        final ServerSocketChannel channel, final Path path, final int backlog, final Path lockFile,
        final AutoCloseable lock) throws IOException {
        this.channel = channel;
        this.backlog = backlog;
        this.path = path;
        this.status = FileStatus.of(path);
        this.lockFile = lockFile;
        this.lock = lock;
        this.selector = Selector.open();
        channel.register(selector, SelectionKey.OP_ACCEPT);
    }

    @Override
    public synchronized LocalSocket accept() throws IOException {
        if (hasClosedSockets) {
            // A descriptor lives on until the selector has let go of it, which happens inside a select only.
            hasClosedSockets = false;
            select(0);
        }
        final SocketChannel accepted = acceptChannel();
        if (accepted == null) {
            return null;
        }
        boolean isReady = false;
        try {
            accepted.configureBlocking(false);
            accepted.register(selector, SelectionKey.OP_READ);
            isReady = true;
            return new SystemLocalSocket(accepted, this);
        } catch (final ClosedSelectorException e) {
            throw closed(e);
        } finally {
            if (!isReady) {
                accepted.close();
            }
        }
    }

    private SocketChannel acceptChannel() throws IOException {
        final SocketChannel accepted = previous == null ? null : previous.accept();
        if (accepted != null) {
            return accepted;
        }
        closePrevious();
        return channel.accept();
    }

    private void closePrevious() throws IOException {
        if (previous != null) {
            final ServerSocketChannel drained = previous;
            previous = null;
            drained.close();
            onSocketClosed();
        }
    }

    /**
     * {@inheritDoc}
     * <p>
     * The time is rounded up to milliseconds, in which the operating system waits. A socket with unread bytes, or whose
     * peer is gone, ends every wait until it has been read or closed.
     */
    @Override
    public boolean await(final long timeoutNs) throws IOException {
        if (timeoutNs < 0) {
            throw new IllegalArgumentException("timeoutNs=" + timeoutNs + " must not be negative");
        }
        hasClosedSockets = false;
        return select(timeoutNs) > 0;
    }

    private int select(final long timeoutNs) throws IOException {
        try {
            final int ready;
            if (timeoutNs == 0) {
                ready = selector.selectNow();
            } else {
                ready = selector.select(timeoutNs / NS_PER_MS + (timeoutNs % NS_PER_MS == 0 ? 0 : 1));
            }
            selector.selectedKeys().clear();
            return ready;
        } catch (final ClosedSelectorException e) {
            throw closed(e);
        }
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    /** Notes that an accepted socket was closed, by any thread. */
    void onSocketClosed() {
        hasClosedSockets = true;
        selector.wakeup();
    }

    /** Looks without the listener's monitor, which a thread that accepts must not wait for. */
    @Override
    public boolean isThere() {
        try {
            return isClosed.get() || status.isSameFile(FileStatus.find(path)) && SystemLocks.isLocked(lockFile);
        } catch (final IOException e) {
            return true;
        }
    }

    /** Makes the path anew. The lock is taken outside of the monitor, which a thread that accepts must not wait for. */
    @Override
    public void restore() throws IOException {
        if (isThere()) {
            return;
        }
        final AutoCloseable found = SystemLocks.tryLock(lockFile);
        if (found != null) {
            // the old one is that of a file that has lost its name
            final AutoCloseable old = replaceLock(found);
            if (old == found) {
                SystemLocalSockets.release(lockFile, old);
                return;
            }
            SystemLocalSockets.close(lockFile, old);
        }
        listenAgain();
    }

    /** Take another lock, unless closed; the one to be given up. */
    private synchronized AutoCloseable replaceLock(final AutoCloseable found) {
        if (isClosed.get()) {
            return found;
        }
        final AutoCloseable old = lock;
        lock = found;
        return old;
    }

    private synchronized void listenAgain() throws IOException {
        if (!isClosed.get() && !status.isSameFile(FileStatus.find(path))) {
            closePrevious();
            final ServerSocketChannel restored = SystemLocalSockets.bind(path, backlog);
            previous = channel;
            channel = restored;
            status = FileStatus.of(path);
            channel.register(selector, SelectionKey.OP_ACCEPT);
            selector.wakeup();
        }
    }

    @Override
    public synchronized void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        IOException failure = attempt(this::deletePath, null);
        failure = attempt(this::closePrevious, failure);
        failure = attempt(channel::close, failure);
        failure = attempt(selector::close, failure);
        failure = attempt(() -> SystemLocalSockets.release(lockFile, lock), failure);
        if (failure != null) {
            throw new UncheckedIOException("cannot close listener: path=" + path, failure);
        }
    }

    /** Deletes the path, which somebody may have replaced against all rules; then it is not ours to delete. */
    private void deletePath() throws IOException {
        Deletion.deleteFile(path, status);
    }

    private static IOException attempt(final Step step, final IOException earlier) {
        try {
            step.run();
        } catch (final IOException e) {
            if (earlier == null) {
                return e;
            }
            earlier.addSuppressed(e);
        }
        return earlier;
    }

    private static ClosedChannelException closed(final ClosedSelectorException cause) {
        final ClosedChannelException closed = new ClosedChannelException();
        closed.initCause(cause);
        return closed;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
