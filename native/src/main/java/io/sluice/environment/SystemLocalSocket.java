package io.sluice.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connected Unix domain socket; one that was accepted is watched by its listener's selector. */
final class SystemLocalSocket implements LocalSocket {
    private final SocketChannel channel;
    private final SystemLocalListener listener;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /** Makes a socket of a channel; the listener is null on the connecting side. */
    SystemLocalSocket(final SocketChannel channel, final SystemLocalListener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    @Override
    public int read(final ByteBuffer buffer) throws IOException {
        return channel.read(buffer);
    }

    @Override
    public int write(final ByteBuffer buffer) throws IOException {
        return channel.write(buffer);
    }

    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        try (channel) {
            if (listener != null) {
                // The descriptor stays open until the selector's next turn; the peer must not have to wait for that.
                channel.shutdownOutput();
                channel.shutdownInput();
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot close local socket", e);
        } finally {
            if (listener != null) {
                listener.onSocketClosed();
            }
        }
    }
}
