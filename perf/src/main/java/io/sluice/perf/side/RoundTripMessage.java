package io.sluice.perf.side;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of a message that is sent back: the time at which its round trip began, and a sequence, which is also at the
 * beginning of every further line of 64 bytes, and as its complement at the end, so that a receiver sees what is
 * missing, repeated or torn, wherever: see {@link LineStamps}. The bytes between are zero.
 * <pre>
 *   0          8          16            64         72            length-8      length
 *   +----------+----------+-- - - -- - -+----------+-- - - -- - -+-------------+
 *   | sent at  | sequence |             | sequence |             |  ~sequence  |
 *   +----------+----------+-- - - -- - -+----------+-- - - -- - -+-------------+
 * </pre>
 */
final class RoundTripMessage {
    static final int SENT_AT_OFFSET = 0;
    static final int SEQUENCE_OFFSET = 8;
    /** Sequence of the message that ends the measurement and is not echoed. */
    static final long END_SEQUENCE = -1;

    private RoundTripMessage() {
    }

    /** Encodes all but the time, which is put in last: what comes before it is not measured. */
    static void encode(final MutableDirectBuffer buffer, final int length, final long sequence) {
        buffer.putLong(SEQUENCE_OFFSET, sequence);
        LineStamps.put(buffer, length, sequence);
    }

    static boolean isWhole(final DirectBuffer buffer, final int offset, final int length, final long sequence) {
        return buffer.getLong(offset + SEQUENCE_OFFSET) == sequence
            && LineStamps.areAll(buffer, offset, length, sequence);
    }

    /** Whether a message is the one that ends the measurement. */
    static boolean isEnd(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SEQUENCE_OFFSET) == END_SEQUENCE;
    }
}
