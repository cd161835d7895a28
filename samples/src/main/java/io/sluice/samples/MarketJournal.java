package io.sluice.samples;

import io.sluice.transport.Header;
import io.sluice.transport.MessageHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.DirectBuffer;

/**
 * A consumer that keeps every message: to a file, each with its length before it (4 bytes, little-endian), or,
 * without a file, only counted. It writes when its buffer is full and when it is closed. One thread.
 */
final class MarketJournal implements MessageHandler, AutoCloseable {
    private static final int BUFFER_LENGTH = 1 << 16;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final FileChannel file;
    private long messages;
    private long bytes;

    private MarketJournal(final FileChannel file) {
        this.file = file;
    }

    /** Replace a file, or with null only count. */
    static MarketJournal open(final Path path) {
        try {
            return new MarketJournal(path == null ? null : FileChannel.open(path, StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
        } catch (final IOException e) {
            throw new RunFailure("cannot write the journal: " + e, e);
        }
    }

    @Override
    public void onMessage(final DirectBuffer message, final int offset, final int length, final Header header) {
        messages++;
        bytes += length;
        if (file == null) {
            return;
        }
        if (buffer.remaining() < Integer.BYTES + length) {
            flush();
        }
        if (Integer.BYTES + length > buffer.capacity()) {
            throw new RunFailure("message is longer than the journal's buffer: length=" + length
                + " capacity=" + buffer.capacity());
        }
        buffer.putInt(length);
        message.getBytes(offset, buffer, length);
    }

    private void flush() {
        try {
            buffer.flip();
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
            buffer.clear();
        } catch (final IOException e) {
            throw new RunFailure("cannot write the journal: " + e, e);
        }
    }

    long messages() {
        return messages;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (file != null && file.isOpen()) {
            flush();
            try {
                file.close();
            } catch (final IOException e) {
                throw new RunFailure("cannot close the journal: " + e, e);
            }
        }
    }
}
