package io.sluice.perf.side;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of a one-way message: a sequence at its beginning, at the beginning of every further line of 64 bytes, and as
 * its complement at the end, so that a receiver sees what is missing, repeated or torn, wherever: see
 * {@link LineStamps}. The bytes between are zero.
 * <pre>
 *   0          8          16            64         72            length-8      length
 *   +----------+----------+-- - - -- - -+----------+-- - - -- - -+-------------+
 *   | sequence |  phase   |             | sequence |             |  ~sequence  |
 *   +----------+----------+-- - - -- - -+----------+-- - - -- - -+-------------+
 * </pre>
 */
final class StreamMessage {
    /** Phase: not measured. */
    static final long WARM_UP = 0;
    /** Phase: measured. */
    static final long MEASURED = 1;
    /** Phase: the last message. */
    static final long END = 2;

    private static final int SEQUENCE_OFFSET = 0;
    private static final int PHASE_OFFSET = 8;

    private StreamMessage() {
    }

    static void encode(final MutableDirectBuffer buffer, final int length, final long sequence, final long phase) {
        buffer.putLong(SEQUENCE_OFFSET, sequence);
        buffer.putLong(PHASE_OFFSET, phase);
        LineStamps.put(buffer, length, sequence);
    }

    static boolean isWhole(final DirectBuffer buffer, final int offset, final int length, final long sequence) {
        return buffer.getLong(offset + SEQUENCE_OFFSET) == sequence
            && LineStamps.areAll(buffer, offset, length, sequence);
    }

    static long sequence(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SEQUENCE_OFFSET);
    }

    static long phase(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + PHASE_OFFSET);
    }
}
