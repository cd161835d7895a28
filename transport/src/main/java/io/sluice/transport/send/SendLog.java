package io.sluice.transport.send;

import static io.sluice.codec.FrameDescriptor.FRAME_ALIGNMENT;
import static io.sluice.codec.FrameDescriptor.HEADER_LENGTH;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.StampClock;
import io.sluice.verbs.MemoryRegion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The log of a publication: a registered ring of frames in which the bytes of position {@code p} lie at
 * {@code p & (windowLength - 1)}.
 * <p>
 * Who owns the bytes when:
 * <pre>
 *  the writing thread   from claim to commit
 *  the device           from commit until each link's write has completed; nobody where peers look at the frames
 *  each link's peer     until its consumed position has passed them
 *  the writing thread   again, when every link's consumed position has passed them: the limit
 * </pre>
 * One writing thread claims and commits, or several do through {@link ConcurrentClaims}; any thread may read
 * {@link #tail()}. The publication owns the memory.
 */
public final class SendLog {
    /** {@link #claim(int, long)}: the claim would end beyond the limit. */
    public static final long OVER_LIMIT = -1;
    /** {@link #claim(int, long)}: the stream is at its end. */
    public static final long OVER_MAX_POSITION = -2;

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(SendLog.class, "tail", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final UnsafeBuffer buffer;
    private final int windowLength;
    private final long positionMask;
    private final int maxMessageLength;
    private final FrameWriter writer;
    private long tail;
    private long messages;
    private long messageBytes;
    /**
     * The position before which claims destroy all headers, see {@link #markWholeForALap}. The conductor writes it
     * before it takes a link out of the poster's links, and writing threads read those links first.
     */
    private long markedWholeEnd;

    /**
     * An empty log, whose messages are not stamped.
     *
     * @param region          whose length is a power of two.
     * @param initialPosition where the stream begins, a multiple of the frame alignment.
     * @param frameKey        of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     */
    public SendLog(final MemoryRegion region, final long initialPosition, final long frameKey) {
        this(region, initialPosition, frameKey, StampClock.NONE);
    }

    /**
     * An empty log.
     *
     * @param region          whose length is a power of two.
     * @param initialPosition where the stream begins, a multiple of the frame alignment.
     * @param frameKey        of the session: see {@link FrameDescriptor#lapAndChecksumWord}.
     * @param stamps          clock that messages are stamped by as they are committed, in place of their reserved
     *                        value; or {@link StampClock#NONE}.
     */
    public SendLog(
        final MemoryRegion region, final long initialPosition, final long frameKey, final StampClock stamps) {
        buffer = region.buffer();
        windowLength = Math.toIntExact(region.length());
        if (!BitUtil.isPowerOfTwo(windowLength)) {
            throw new IllegalArgumentException("not a power of two: windowLength=" + windowLength);
        }
        if (initialPosition < 0 || (initialPosition & (FRAME_ALIGNMENT - 1)) != 0) {
            throw new IllegalArgumentException("not a frame boundary: initialPosition=" + initialPosition);
        }
        positionMask = windowLength - 1L;
        maxMessageLength = FrameDescriptor.maxMessageLength(windowLength);
        writer = new FrameWriter(buffer, windowLength, frameKey, stamps);
        tail = initialPosition;
    }

    /**
     * Claim room for a frame, and for padding up to the ring's end where the frame would cross it. Nothing but
     * that it is claimed is visible to anybody before {@link #commit}.
     *
     * @param alignedLength of the frame with its header, a multiple of the frame alignment.
     * @param limit         the position at or before which the claim must end.
     * @return the position where the frame begins, or {@link #OVER_LIMIT}, or {@link #OVER_MAX_POSITION}.
     */
    public long claim(final int alignedLength, final long limit) {
        final long end = claimEnd(alignedLength);
        if (end > limit) {
            return end > FrameDescriptor.MAX_POSITION ? OVER_MAX_POSITION : OVER_LIMIT;
        }
        if (end > FrameDescriptor.MAX_POSITION) {
            return OVER_MAX_POSITION;
        }
        markClaimed(end - alignedLength, alignedLength);
        return end - alignedLength;
    }

    /**
     * The position where a claim would end, with the padding that it may need. Writing thread.
     *
     * @param alignedLength as for {@link #claim(int, long)}.
     * @return the position.
     */
    public long claimEnd(final int alignedLength) {
        final long position = tail;
        final int remaining = windowLength - (int) (position & positionMask);
        return position + (alignedLength > remaining ? remaining : 0) + alignedLength;
    }

    /**
     * The offset where the frame at a position begins in {@link #buffer()}.
     *
     * @param position of the frame.
     * @return its offset in bytes.
     */
    public int offset(final long position) {
        return (int) (position & positionMask);
    }

    /**
     * Claim, copy and commit at once, as most offers can: where the frame needs no padding in front of it and nobody
     * may still read what it is written over, so that only its own header need be marked; and the log is not on the
     * heap. Writing thread.
     *
     * @param limit         the position at or before which the frame must end.
     * @param source        that holds the message.
     * @param offset        where it begins there.
     * @param length        of the message in bytes, which must fit.
     * @param reservedValue for the application.
     * @return the new tail, or {@link #OVER_LIMIT} when nothing was done: {@link #claim} tells what to do.
     * @throws IndexOutOfBoundsException if the source does not have the bytes; the tail is where it was.
     */
    public long append(
        final long limit, final DirectBuffer source, final int offset, final int length, final long reservedValue) {
        final long position = tail;
        final int alignedLength = alignedLength(length);
        final int logOffset = (int) (position & positionMask);
        final long end = position + alignedLength;
        if (end > Math.min(limit, FrameDescriptor.MAX_POSITION) || logOffset + alignedLength > windowLength
            || position < markedWholeEnd || !writer.isDirect()) {
            return OVER_LIMIT;
        }
        writer.write(position, source, offset, length, reservedValue);
        messages++;
        messageBytes += length;
        TAIL.setRelease(this, end);
        return end;
    }

    private void markClaimed(final long position, final int frameLength) {
        writer.mark(position, frameLength, FrameWriter.claimedWord(frameLength), isMarkedWhole(position));
    }

    /** {@return whether a claim at a position destroys all headers of an earlier lap: see {@link #markWholeForALap}} */
    boolean isMarkedWhole(final long position) {
        return position < markedWholeEnd;
    }

    /**
     * Marks all of a frame in which the application is to encode in place: see {@link FrameWriter#markAll}. Writing
     * thread, after the claim.
     *
     * @param position    of the claimed frame.
     * @param frameLength with the header.
     */
    public void markAll(final long position, final int frameLength) {
        writer.markAll(position, frameLength);
    }

    /**
     * Copy bytes of a message into a claimed frame. Writing thread.
     *
     * @param position      of the frame.
     * @param messageOffset in the message where they go.
     * @param source        that holds them.
     * @param offset        where they begin there.
     * @param length        in bytes.
     */
    public void putBytes(
        final long position, final int messageOffset, final DirectBuffer source, final int offset, final int length) {
        writer.putMessage(position, messageOffset, source, offset, length);
    }

    /**
     * The offset where the message of the frame at a position begins in {@link #buffer()}.
     *
     * @param position of the frame.
     * @return its offset in bytes.
     */
    public int messageOffset(final long position) {
        return offset(position) + HEADER_LENGTH;
    }

    FrameWriter writer() {
        return writer;
    }

    /**
     * Has claims mark whole frames for a lap, as a link is given up whose subscription may still be reading messages
     * that the next lap is written over. That notices by their headers, which lie anywhere in the frames to come: so
     * that none outlasts a byte of its message, claims of the next lap destroy all headers first. Conductor, before
     * writing threads go on without the link.
     */
    public void markWholeForALap() {
        // consumed is less than a window beyond the tail, and what is being read ends a window behind it at most
        markedWholeEnd = tail() + 3L * windowLength;
    }

    /**
     * Write the header of a claimed frame, its length last, and move the tail behind it. Padding in front of it is
     * written now too: a claim that is given up leaves nothing behind.
     *
     * @param position      of the frame, from {@link #claim}.
     * @param frameLength   with the header.
     * @param type          of the frame.
     * @param reservedValue for the application.
     * @return the new tail.
     */
    public long commit(final long position, final int frameLength, final int type, final long reservedValue) {
        final int padding = (int) (position - tail);
        if (padding > 0) {
            markClaimed(tail, padding);
            writer.commit(tail, padding, FrameDescriptor.PADDING_TYPE, 0);
        }
        writer.commit(position, frameLength, type, reservedValue);
        if (type == FrameDescriptor.DATA_TYPE) {
            messages++;
            messageBytes += frameLength - HEADER_LENGTH;
        }
        final long end = position + FrameDescriptor.alignedLength(frameLength);
        TAIL.setRelease(this, end);
        return end;
    }

    /** Move the tail over frames that are committed. */
    void advance(final long newTail, final long newMessages, final long newMessageBytes) {
        messages += newMessages;
        messageBytes += newMessageBytes;
        TAIL.setRelease(this, newTail);
    }

    /**
     * The log's memory.
     *
     * @return the buffer over the whole window; dead once the publication has released it.
     */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /**
     * End of the committed prefix.
     *
     * @return a frame boundary.
     */
    public long tail() {
        return (long) TAIL.getAcquire(this);
    }

    /** {@return messages committed} Any thread, perhaps late. */
    public long messages() {
        return messages;
    }

    /** {@return bytes of those messages, without headers and padding} Any thread, perhaps late. */
    public long messageBytes() {
        return messageBytes;
    }

    /**
     * The size of the ring.
     *
     * @return bytes, a power of two.
     */
    public int windowLength() {
        return windowLength;
    }

    /**
     * Longest message that fits.
     *
     * @return bytes without header.
     */
    public int maxMessageLength() {
        return maxMessageLength;
    }

    /**
     * Bytes that a message takes in the log.
     *
     * @param messageLength without header.
     * @return a multiple of the frame alignment.
     */
    public static int alignedLength(final int messageLength) {
        return FrameDescriptor.alignedLength(messageLength + HEADER_LENGTH);
    }
}
