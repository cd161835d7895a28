package io.sluice.perf.side;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The sequence of a message all over it: at the beginning of each of its lines of 64 bytes but the first one, where its
 * layout has the sequence itself, and as its complement at the end. No two of these words are further apart than a
 * cache line is long, wherever the message begins, so that a receiver who compares them has read, and checked, every
 * cache line of it. The bytes between are zero.
 */
final class LineStamps {
    private static final int LINE_LENGTH = 64;
    private static final int STAMP_LENGTH = Long.BYTES;

    private LineStamps() {
    }

    /** Stamp a message that begins with the buffer. */
    static void put(final MutableDirectBuffer buffer, final int length, final long sequence) {
        final int end = length - STAMP_LENGTH;
        for (int at = LINE_LENGTH; at <= end - STAMP_LENGTH; at += LINE_LENGTH) {
            buffer.putLong(at, sequence);
        }
        buffer.putLong(end, ~sequence);
    }

    /** {@return whether every line of a message is of this sequence, but for what its layout has in the first one} */
    static boolean areAll(final DirectBuffer buffer, final int offset, final int length, final long sequence) {
        final int end = offset + length - STAMP_LENGTH;
        // no branch in the loop: whatever differs remains
        long difference = buffer.getLong(end) ^ ~sequence;
        for (int at = offset + LINE_LENGTH; at <= end - STAMP_LENGTH; at += LINE_LENGTH) {
            difference |= buffer.getLong(at) ^ sequence;
        }
        return difference == 0;
    }
}
