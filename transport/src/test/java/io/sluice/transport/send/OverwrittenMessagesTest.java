package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.kit.Await;
import io.sluice.transport.receive.FrameReader;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.stub.StubRegion;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A log that is written over while somebody, for whom nobody waits any more, still reads in it: when the header of a
 * message is there after it was read, no byte of the message had changed. Messages are copied from their ends, as a
 * copy that is not compiled does.
 */
class OverwrittenMessagesTest {
    private static final int WINDOW = 4096;
    private static final long KEY = 0x5EED_1234_8765_4321L;
    private static final int MAX_MESSAGE = 400;
    private static final int FRAMES = 512;
    private static final int OVERWRITTEN = 20_000;
    private static final int WRITTEN_AHEAD = 64;

    private final StubRegion region = new StubRegion(WINDOW);
    private final AtomicLongArray positions = new AtomicLongArray(FRAMES);
    private final AtomicLongArray lengths = new AtomicLongArray(FRAMES);
    private final AtomicLong written = new AtomicLong();
    private final AtomicReference<String> torn = new AtomicReference<>("");
    private volatile boolean done;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepNoHeaderOfAMessageThatHasChanged(final boolean inPlace) {
        final Thread writer = new Thread(() -> write(inPlace), "writer");
        writer.setDaemon(true);
        writer.start();
        int overwritten = 0;
        int intact = 0;
        final FrameReader reader = new InboundLink(WINDOW, 0, 1, KEY).reader();
        final SplittableRandom random = new SplittableRandom(1);
        while ((overwritten < OVERWRITTEN || intact < OVERWRITTEN) && torn.get().isEmpty()) {
            final long frame = written.get() - 1 - random.nextInt(WRITTEN_AHEAD);
            if (frame < 0) {
                continue;
            }
            final int slot = (int) (frame % FRAMES);
            if (read(reader, positions.get(slot), (int) lengths.get(slot))) {
                intact++;
            } else {
                overwritten++;
            }
        }
        done = true;
        Await.end(writer);
        assertEquals("", torn.get());
        assertTrue(intact > 0 && overwritten > 0);
    }

    private boolean read(final FrameReader reader, final long position, final int length) {
        final UnsafeBuffer buffer = region.buffer();
        if (length == 0 || !reader.newLapCheck().isIntact(buffer, position)) {
            return false;
        }
        final int offset = reader.offset(position) + FrameDescriptor.HEADER_LENGTH;
        boolean whole = true;
        for (int i = 0; i < length; i++) {
            whole &= buffer.getByte(offset + i) == messageByte(position);
        }
        final boolean intact = reader.newLapCheck().isIntact(buffer, position);
        if (intact && !whole) {
            torn.set("changed behind its header: position=" + position + " length=" + length);
        }
        return intact;
    }

    private void write(final boolean inPlace) {
        final SplittableRandom random = new SplittableRandom(2);
        final SendLog log = new SendLog(region, 0, KEY);
        while (!done) {
            final int length = 1 + random.nextInt(random.nextInt(2) == 0 ? 16 : MAX_MESSAGE);
            log.markWholeForALap();
            final long position = log.claim(SendLog.alignedLength(length), Long.MAX_VALUE);
            if (inPlace) {
                log.markAll(position, FrameDescriptor.frameLength(length));
            }
            final int offset = log.offset(position) + FrameDescriptor.HEADER_LENGTH;
            for (int i = length - 1; i >= 0; i--) {
                log.buffer().putByte(offset + i, messageByte(position));
            }
            log.commit(position, FrameDescriptor.frameLength(length), FrameDescriptor.DATA_TYPE, 0);
            final int slot = (int) (written.get() % FRAMES);
            lengths.set(slot, 0);
            positions.set(slot, position);
            lengths.set(slot, length);
            written.incrementAndGet();
        }
    }

    private static byte messageByte(final long position) {
        return (byte) (position * 0x9E3779B97F4A7C15L >>> 56);
    }
}
