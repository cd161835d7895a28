package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each cache line of a message that is still of the message before is noticed, wherever the message begins. */
class LineStampsTest {
    private static final int LINE_LENGTH = 64;
    private static final int SEQUENCE = 7;

    @ParameterizedTest
    @ValueSource(ints = {24, 32, 64, 72, 80, 88, 128, 136, 144, 256, 1024, 64 * 1024})
    void shouldNoticeEveryStaleLineOfAStreamsMessage(int length) {
        final byte[] old = new byte[length];
        StreamMessage.encode(new UnsafeBuffer(old), length, SEQUENCE - 1, StreamMessage.MEASURED);
        final byte[] message = new byte[length];
        StreamMessage.encode(new UnsafeBuffer(message), length, SEQUENCE, StreamMessage.MEASURED);

        assertTrue(StreamMessage.isWhole(new UnsafeBuffer(message), 0, length, SEQUENCE));
        for (int offset = 0; offset < LINE_LENGTH; offset += Long.BYTES) {
            for (int line = 0; line < offset + length; line += LINE_LENGTH) {
                final UnsafeBuffer torn = torn(
                    message, old, offset, Math.max(0, line - offset), line - offset + LINE_LENGTH);
                assertFalse(StreamMessage.isWhole(torn, offset, length, SEQUENCE),
                    "line at " + line + " of a message at " + offset);
            }
        }
    }

    /** The first word of such a message is a time, which nobody can check. */
    @ParameterizedTest
    @ValueSource(ints = {24, 32, 64, 72, 80, 88, 128, 136, 144, 256, 1024, 64 * 1024})
    void shouldNoticeEveryStaleLineOfARoundTripsMessage(int length) {
        final byte[] old = new byte[length];
        RoundTripMessage.encode(new UnsafeBuffer(old), length, SEQUENCE - 1);
        final byte[] message = new byte[length];
        RoundTripMessage.encode(new UnsafeBuffer(message), length, SEQUENCE);

        assertTrue(RoundTripMessage.isWhole(new UnsafeBuffer(message), 0, length, SEQUENCE));
        for (int from = 0; from < length; from += LINE_LENGTH) {
            final UnsafeBuffer torn = torn(message, old, 0, from, from + LINE_LENGTH);
            assertFalse(RoundTripMessage.isWhole(torn, 0, length, SEQUENCE), "line at " + from);
        }
    }

    /** The message at an offset, with those bytes of it that are still the old one's. */
    private static UnsafeBuffer torn(byte[] message, byte[] old, int offset, int from, int to) {
        final UnsafeBuffer torn = new UnsafeBuffer(new byte[offset + message.length]);
        torn.putBytes(offset, message);
        torn.putBytes(offset + from, old, from, Math.min(to, message.length) - from);
        return torn;
    }
}
