package io.sluice.samples;

import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * A consumer that keeps every message which the others have handled: to a file, each with its length before it (4
 * bytes, little-endian), or, without a file, only counted. Its own thread writes; any thread may read the counts. Who
 * opened it closes it when that thread has ended.
 */
final class MarketJournal implements MessageEventHandler, AutoCloseable {
    private static final int BUFFER_LENGTH = 1 << 16;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final FileChannel file;
    private final StopSignal stop;
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private RunFailure failure;

    private MarketJournal(final FileChannel file, final StopSignal stop) {
        this.file = file;
        this.stop = stop;
    }

    /** Replace a file, or with null only count. The signal is given when the file can be written no more. */
    static MarketJournal open(final Path path, final StopSignal stop) {
        try {
            return new MarketJournal(path == null ? null : FileChannel.open(path, StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE), stop);
        } catch (final IOException e) {
            throw new RunFailure("cannot write the journal: " + e, e);
        }
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
        onMessage(event.buffer(), event.offset(), event.length());
    }

    @Override
    public String name() {
        return "journal";
    }

    void onMessage(final DirectBuffer message, final int offset, final int length) {
        messages.lazySet(messages.get() + 1);
        bytes.lazySet(bytes.get() + length);
        if (file == null || failure != null) {
            return;
        }
        if (buffer.remaining() < Integer.BYTES + length) {
            flush();
        }
        if (failure == null && Integer.BYTES + length > buffer.capacity()) {
            fail(new RunFailure("message is longer than the journal's buffer: length=" + length
                + " capacity=" + buffer.capacity()));
        }
        if (failure == null) {
            buffer.putInt(length);
            message.getBytes(offset, buffer, length);
        }
    }

    private void flush() {
        try {
            buffer.flip();
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
            buffer.clear();
        } catch (final IOException e) {
            fail(new RunFailure("cannot write the journal: " + e, e));
        }
    }

    /** Ends the program, which says why when it closes the journal: a journal with a hole is worth nothing. */
    private void fail(final RunFailure reason) {
        failure = reason;
        stop.request();
    }

    long messages() {
        return messages.get();
    }

    long bytes() {
        return bytes.get();
    }

    @Override
    public void close() {
        if (file != null && file.isOpen()) {
            try {
                if (failure == null) {
                    flush();
                }
                file.close();
            } catch (final IOException e) {
                throw new RunFailure("cannot close the journal: " + e, e);
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
