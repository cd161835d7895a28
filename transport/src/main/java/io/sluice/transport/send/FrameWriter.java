package io.sluice.transport.send;

import static io.sluice.codec.FrameDescriptor.FRAME_ALIGNMENT;
import static io.sluice.codec.FrameDescriptor.HEADER_LENGTH;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.StampClock;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The one writer of frames into the memory of a log: {@link #mark} when a frame is claimed, {@link #putMessage} or the
 * application in between, {@link #commit} at the end. {@link #write} is the fast form of the three. The order of the
 * stores is what readers on other threads, in other processes, go by:
 * <pre>
 *   1  length word    negative: claimed, of no length yet
 *   2  lap word       after 1: whoever sees this lap's word does not see an earlier lap's length
 *   3  message        after 2: whoever sees bytes of it sees this lap's word
 *   4  reserved value, or the time, read after the message was copied
 *   5  length word    after all: the frame is committed
 * </pre>
 * The thread that has claimed the frame.
 */
final class FrameWriter {
    /**
     * The number of bytes up to which a loop over words is quicker than the call that copies in bulk: words that were
     * just written come from the store buffer one by one, longer pieces of them do not.
     */
    private static final int SHORT_LENGTH = 512;

    private final UnsafeBuffer buffer;
    private final long positionMask;
    private final long frameKey;
    private final StampClock stamps;
    private final boolean isStamped;

    /**
     * A writer into a log.
     *
     * @param buffer       the log's memory.
     * @param windowLength of the log, in bytes, a power of two.
     * @param frameKey     of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     * @param stamps       clock that messages are stamped by, or {@link StampClock#NONE}.
     */
    FrameWriter(final UnsafeBuffer buffer, final int windowLength, final long frameKey, final StampClock stamps) {
        this.buffer = buffer;
        this.frameKey = frameKey;
        this.stamps = stamps;
        isStamped = stamps != StampClock.NONE;
        positionMask = windowLength - 1L;
    }

    private int offset(final long position) {
        return (int) (position & positionMask);
    }

    /** {@return the length word of a frame that is claimed by the one writing thread} */
    static long claimedWord(final int frameLength) {
        return FrameDescriptor.lengthWord(-frameLength, 0, FrameDescriptor.DATA_TYPE);
    }

    /** {@return whether the memory is off the heap, as {@link #write} has it} */
    boolean isDirect() {
        return buffer.byteArray() == null;
    }

    /**
     * Marks a frame that is claimed: nobody takes old bytes for a frame, and whoever reads an earlier lap's message
     * notices.
     *
     * @param position    of the frame.
     * @param frameLength with the header.
     * @param claimedWord for the length word, which says that it is claimed.
     * @param isWhole     whether no header of an earlier lap may be left in it.
     */
    void mark(final long position, final int frameLength, final long claimedWord, final boolean isWhole) {
        final int offset = offset(position);
        if (isWhole) {
            markBlocks(position, 0, frameLength);
        } else if (frameLength > FRAME_ALIGNMENT) {
            // the message may end before the last block: an earlier frame that begins there would seem to be there
            markBlock(offset + FrameDescriptor.alignedLength(frameLength) - FRAME_ALIGNMENT, position);
        }
        buffer.putLong(offset, claimedWord);
        // whoever sees this lap's word must not see an earlier lap's length
        buffer.putLongRelease(offset + FrameDescriptor.LAP_WORD_OFFSET, lapWord(position));
        // and whoever sees bytes of this lap's message sees this lap's word
        VarHandle.storeStoreFence();
    }

    /**
     * Marks the whole of a frame in which the application encodes in place, and may leave bytes as they are: nobody
     * shall take an earlier lap's frame among them for one that is there still. After the claim and before the
     * application writes.
     */
    void markAll(final long position, final int frameLength) {
        markBlocks(position, FRAME_ALIGNMENT, frameLength);
        VarHandle.storeStoreFence();
    }

    /** Marks blocks from the first on: a mark lies in an earlier frame's message, whose header must be destroyed. */
    void markBlocks(final long position, final int firstBlock, final int frameLength) {
        final int offset = offset(position);
        for (int block = firstBlock; block < frameLength; block += FRAME_ALIGNMENT) {
            markBlock(offset + block, position);
        }
    }

    /**
     * Writes the complement of the lap word, because a message may end inside the word: what is left of the mark then
     * are upper bytes, in which the lap words of all laps are alike, and with luck the message would make a later
     * frame's lap word of them.
     */
    private void markBlock(final int blockOffset, final long position) {
        buffer.putLongRelease(blockOffset + FrameDescriptor.LAP_WORD_OFFSET, ~lapWord(position));
    }

    private long lapWord(final long position) {
        return FrameDescriptor.lapAndChecksumWord(position, FrameDescriptor.NO_CHECKSUM, frameKey);
    }

    /** {@return whether the frame at a position is claimed or committed in this lap} Any thread. */
    boolean isMarked(final long position) {
        return buffer.getLongAcquire(offset(position) + FrameDescriptor.LAP_WORD_OFFSET) == lapWord(position);
    }

    /** Copies a part of the message of the frame at a position, to where it belongs in the message. */
    void putMessage(
        final long position, final int messageOffset, final DirectBuffer source, final int offset, final int length) {
        putBytes(offset(position) + HEADER_LENGTH + messageOffset, source, offset, length);
    }

    /**
     * Writes the length word of a claimed frame anew, unless it is another one by now. Any thread.
     *
     * @return whether it was written.
     */
    boolean replaceLengthWord(final long position, final long expectedWord, final long newWord) {
        return buffer.compareAndSetLong(offset(position), expectedWord, newWord);
    }

    /** Copy bytes of a message to an offset in the log. */
    void putBytes(final int logOffset, final DirectBuffer source, final int offset, final int length) {
        if (UnsafeBuffer.SHOULD_BOUNDS_CHECK) {
            source.boundsCheck(offset, length);
            buffer.boundsCheck(logOffset, length);
        }
        copy(source.byteArray(), source.addressOffset() + offset,
            buffer.byteArray(), buffer.addressOffset() + logOffset, length);
    }

    private static void copy(
        final byte[] fromArray, final long from, final byte[] toArray, final long to, final int length) {
        if (length > SHORT_LENGTH) {
            UnsafeApi.copyMemory(fromArray, from, toArray, to, length);
            return;
        }
        int copied = 0;
        for (; copied <= length - Long.BYTES; copied += Long.BYTES) {
            UnsafeApi.putLong(toArray, to + copied, UnsafeApi.getLong(fromArray, from + copied));
        }
        for (; copied < length; copied++) {
            UnsafeApi.putByte(toArray, to + copied, UnsafeApi.getByte(fromArray, from + copied));
        }
    }

    /** Commit a frame that is marked: its length is written last. A message is stamped if the log stamps them. */
    void commit(final long position, final int frameLength, final int type, final long reservedValue) {
        final int offset = offset(position);
        if (isStamped && type == FrameDescriptor.DATA_TYPE) {
            buffer.putLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET, stamps.nowNs());
            buffer.putLongRelease(offset, stampedWord(frameLength));
        } else {
            buffer.putLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET, reservedValue);
            buffer.putLongRelease(offset, FrameDescriptor.lengthWord(frameLength, 0, type));
        }
    }

    private static long stampedWord(final int frameLength) {
        return FrameDescriptor.lengthWord(frameLength, FrameDescriptor.TIMESTAMP_FLAG, FrameDescriptor.DATA_TYPE);
    }

    /**
     * Mark a frame's own header, copy its message and commit it, in memory off the heap: where the words lie is found
     * out once, which after each of the ordered stores would be done again.
     *
     * @throws IndexOutOfBoundsException if the source does not have the bytes; the frame is not committed.
     */
    void write(
        final long position, final DirectBuffer source, final int offset, final int length, final long reservedValue) {
        final int frameLength = length + HEADER_LENGTH;
        final long address = buffer.addressOffset() + offset(position);
        UnsafeApi.putLong(null, address, claimedWord(FrameDescriptor.alignedLength(frameLength)));
        UnsafeApi.putLongRelease(null, address + FrameDescriptor.LAP_WORD_OFFSET, lapWord(position));
        VarHandle.storeStoreFence();
        if (UnsafeBuffer.SHOULD_BOUNDS_CHECK) {
            source.boundsCheck(offset, length);
        }
        copy(source.byteArray(), source.addressOffset() + offset, null, address + HEADER_LENGTH, length);
        if (isStamped) {
            UnsafeApi.putLong(null, address + FrameDescriptor.RESERVED_VALUE_OFFSET, stamps.nowNs());
            UnsafeApi.putLongRelease(null, address, stampedWord(frameLength));
        } else {
            UnsafeApi.putLong(null, address + FrameDescriptor.RESERVED_VALUE_OFFSET, reservedValue);
            UnsafeApi.putLongRelease(
                null, address, FrameDescriptor.lengthWord(frameLength, 0, FrameDescriptor.DATA_TYPE));
        }
    }
}
