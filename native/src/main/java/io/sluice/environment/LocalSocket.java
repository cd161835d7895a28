package io.sluice.environment;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A connected local stream socket in non-blocking mode. One reading and one writing thread; owned by whoever got it.
 */
public interface LocalSocket extends AutoCloseable {
    /**
     * Read what is there.
     *
     * @param buffer to fill from its position.
     * @return bytes read, 0 when nothing waits, -1 when the peer has closed or died.
     * @throws IOException when the connection was reset.
     */
    int read(ByteBuffer buffer) throws IOException;

    /**
     * Write what fits.
     *
     * @param buffer to take from its position.
     * @return bytes written, 0 when the socket is full.
     * @throws IOException when the peer has closed or died.
     */
    int write(ByteBuffer buffer) throws IOException;

    /**
     * Close; idempotent. The peer reads -1.
     */
    @Override
    void close();
}
