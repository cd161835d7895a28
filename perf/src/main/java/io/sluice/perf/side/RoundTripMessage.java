package io.sluice.perf.side;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of a message that is sent back: the time at which its round trip began, a sequence, and the sequence's
 * complement at the end, so that a receiver sees what is missing, repeated or torn. The bytes between are zero.
 * <pre>
 *   0          8          16                    length-8      length
 *   +----------+----------+-- - - -- - - -- - - --+-------------+
 *   | sent at  | sequence |                       |  ~sequence  |
 *   +----------+----------+-- - - -- - - -- - - --+-------------+
 * </pre>
 */
final class RoundTripMessage {
    static final int SENT_AT_OFFSET = 0;
    static final int SEQUENCE_OFFSET = 8;
    /** Sequence of the message that ends the measurement and is not echoed. */
    static final long END_SEQUENCE = -1;

    private static final int CHECK_LENGTH = 8;

    private RoundTripMessage() {
    }

    /** All but the time, which is put in last: what comes before it is not measured. */
    static void encode(final MutableDirectBuffer buffer, final int length, final long sequence) {
        buffer.putLong(SEQUENCE_OFFSET, sequence);
        buffer.putLong(length - CHECK_LENGTH, ~sequence);
    }

    static boolean isWhole(final DirectBuffer buffer, final int offset, final int length, final long sequence) {
        return buffer.getLong(offset + SEQUENCE_OFFSET) == sequence
            && buffer.getLong(offset + length - CHECK_LENGTH) == ~sequence;
    }
}
