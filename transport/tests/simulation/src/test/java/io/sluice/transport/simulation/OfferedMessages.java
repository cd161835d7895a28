package io.sluice.transport.simulation;

import io.sluice.codec.FrameDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;

/** All that was published: positions, lengths and contents, by which every subscriber's run is told right or wrong. */
final class OfferedMessages {
    private static final int POOL_LENGTH = 1 << 14;
    /** Odd, so that neighbours begin at different places of the pool. */
    private static final int STRIDE = 977;

    private record Message(int id, long start, long end, int length) {
    }

    private final byte[] pool = new byte[POOL_LENGTH];
    private final byte[] found = new byte[POOL_LENGTH];
    private final List<Message> messages = new ArrayList<>();
    private int nextId;

    OfferedMessages(final SplittableRandom random) {
        random.nextBytes(pool);
    }

    /** A number for a message to carry, whatever becomes of it. */
    int takeId() {
        return nextId++;
    }

    /** The offset of a message's content in {@link #content()}. */
    static int contentOffset(final int id, final int length) {
        return id * STRIDE % (POOL_LENGTH - length);
    }

    byte[] content() {
        return pool;
    }

    /** A message was committed; others that begin behind it may have been before. */
    void add(final int id, final long end, final int alignedLength, final int length) {
        final long start = end - alignedLength;
        messages.add(indexFrom(start), new Message(id, start, end, length));
    }

    int count() {
        return messages.size();
    }

    /** The position at which the frame of a message begins, or {@link Long#MAX_VALUE} when it was not published yet. */
    long startOf(final int index) {
        return index < messages.size() ? messages.get(index).start : Long.MAX_VALUE;
    }

    /** The position at which the frame of the last message begins, or -1 when it has no content. */
    long lastNonEmptyStart() {
        return messages.isEmpty() || messages.getLast().length == 0 ? -1 : messages.getLast().start;
    }

    /** The first message that begins at a position or behind it. */
    int indexFrom(final long position) {
        int low = 0;
        int high = messages.size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (messages.get(middle).start < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Tell what is wrong with a delivered message; null for nothing. */
    String check(
        final int index, final DirectBuffer buffer, final int offset, final int length, final long end, final long id) {
        if (index >= messages.size()) {
            return "delivered what nobody published: end=" + end;
        }
        final Message message = messages.get(index);
        if (message.end != end || message.length != length || id != message.id) {
            return "expected number " + message.id + " " + message + ", delivered end=" + end + " length=" + length
                + " number=" + id;
        }
        final int contentOffset = contentOffset(message.id, length);
        buffer.getBytes(offset, found, 0, length);
        return Arrays.equals(found, 0, length, pool, contentOffset, contentOffset + length) ? null
            : "another content: number=" + message.id + " " + message;
    }

    /** Tell what is wrong with the first message from a position on, where it lies in a ring that has it; or null. */
    String checkFrame(final long position, final long received, final DirectBuffer ring) {
        final int index = indexFrom(position);
        if (index >= messages.size() || messages.get(index).end > received) {
            return null;
        }
        final Message message = messages.get(index);
        final int offset = (int) (message.start & ring.capacity() - 1L);
        final long lengthWord = ring.getLong(offset);
        return check(
            index,
            ring,
            offset + FrameDescriptor.HEADER_LENGTH,
            FrameDescriptor.frameLengthOf(lengthWord) - FrameDescriptor.HEADER_LENGTH,
            message.start + FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord)),
            ring.getLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET));
    }
}
