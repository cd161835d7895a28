package io.sluice.transport.send;

import static io.sluice.codec.FrameDescriptor.HEADER_LENGTH;

import io.sluice.codec.FrameDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Claims of several writing threads in one send log.
 * <pre>
 *   tail                  end of claims    limit
 *    ├─ claimed ─┬─ committed ─┬─ claimed ─┤        ┆
 * ───┴───────────┴─────────────┴───────────┴────────┴──▶
 * </pre>
 * The end of claims moves by compare-and-set after the limit check; padding at the ring's end is claimed in one step
 * with the message behind it, and committed at once. The tail follows as far as every frame is committed: by
 * {@link #advance()}, one thread at a time.
 * <p>
 * What a claimed frame's length word holds besides its negative length tells who may end the claim, and of which lap it
 * is:
 * <pre>
 *   OFFERED     the thread that claims copies the message itself, and commits before it returns
 *   CLAIMED     the application encodes in place: it commits or aborts, or the claim is given up, by one
 *               compare-and-set each
 *   COMMITTING  the application was first: the header is being completed
 * </pre>
 * A frame that is claimed and not yet marked so has another position's lap word: readers stop there, too, and no
 * claim passes it by more than a window.
 */
public final class ConcurrentClaims {
    private static final int OFFERED = 1;
    private static final int CLAIMED = 2;
    private static final int COMMITTING = 3;

    /** Bits of the flags that hold the state of a claim; the others, and the type, hold the lap. */
    private static final int STATE_BITS = 2;
    private static final int LAP_FLAG_BITS = Byte.SIZE - STATE_BITS;
    private static final int LAP_FLAG_MASK = (1 << LAP_FLAG_BITS) - 1;
    private static final int TYPE_MASK = 0xFFFF;

    private static final VarHandle END;

    static {
        try {
            END = MethodHandles.lookup().findVarHandle(ConcurrentClaims.class, "end", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final SendLog log;
    private final FrameWriter writer;
    private final UnsafeBuffer buffer;
    private final int windowLength;
    private final int lapShift;
    private long end;

    /**
     * Makes claims of which none is open.
     *
     * @param log that nobody writes to in another way.
     */
    public ConcurrentClaims(final SendLog log) {
        this.log = log;
        writer = log.writer();
        buffer = log.buffer();
        windowLength = log.windowLength();
        lapShift = Integer.numberOfTrailingZeros(windowLength);
        end = log.tail();
    }

    /**
     * Claim room for a frame whose message is copied at once: {@link #end(long, int, int, long)} follows in any case.
     * Any thread.
     *
     * @param frameLength with the header.
     * @param limit       the position at or before which the claim must end.
     * @return the position where the frame begins, {@link SendLog#OVER_LIMIT}, or {@link SendLog#OVER_MAX_POSITION}.
     */
    public long offer(final int frameLength, final long limit) {
        return claim(frameLength, limit, OFFERED);
    }

    /**
     * Claim room for a frame whose message the application encodes: {@link #commit} or {@link #abort} follow, or
     * nothing ever does. Any thread.
     *
     * @param frameLength with the header.
     * @param limit       the position at or before which the claim must end.
     * @return the position where the frame begins, {@link SendLog#OVER_LIMIT}, or {@link SendLog#OVER_MAX_POSITION}.
     */
    public long claim(final int frameLength, final long limit) {
        return claim(frameLength, limit, CLAIMED);
    }

    private long claim(final int frameLength, final long limit, final int state) {
        final int alignedLength = FrameDescriptor.alignedLength(frameLength);
        long position = (long) END.getAcquire(this);
        while (true) {
            final int remaining = windowLength - log.offset(position);
            final int padding = alignedLength > remaining ? remaining : 0;
            final long next = position + padding + alignedLength;
            if (next > limit || next > FrameDescriptor.MAX_POSITION) {
                return next > FrameDescriptor.MAX_POSITION ? SendLog.OVER_MAX_POSITION : SendLog.OVER_LIMIT;
            }
            final long found = (long) END.compareAndExchange(this, position, next);
            if (found == position) {
                if (padding > 0) {
                    mark(position, padding, OFFERED);
                    end(position, padding, FrameDescriptor.PADDING_TYPE, 0);
                }
                if (state == CLAIMED) {
                    // before it can be given up: after that the bytes may be somebody else's
                    writer.markBlocks(position + padding, 0, frameLength);
                }
                mark(position + padding, frameLength, state);
                return position + padding;
            }
            position = found;
        }
    }

    /**
     * The position where a claim would end now, with the padding that it may need. Any thread.
     *
     * @param frameLength with the header.
     * @return the position.
     */
    public long claimEnd(final int frameLength) {
        final long position = end();
        final int alignedLength = FrameDescriptor.alignedLength(frameLength);
        final int remaining = windowLength - log.offset(position);
        return position + (alignedLength > remaining ? remaining : 0) + alignedLength;
    }

    private void mark(final long position, final int frameLength, final int state) {
        writer.mark(
            position, frameLength, claimedWord(position, frameLength, state), log.isMarkedWhole(position));
    }

    private long claimedWord(final long position, final int frameLength, final int state) {
        final int lap = (int) (position >>> lapShift);
        return FrameDescriptor.lengthWord(
            -frameLength, state | (lap & LAP_FLAG_MASK) << STATE_BITS, lap >>> LAP_FLAG_BITS & TYPE_MASK);
    }

    /**
     * Commit what {@link #offer} claimed. The thread that claimed.
     *
     * @param position      of the frame.
     * @param frameLength   with the header.
     * @param type          of the frame: padding when the message could not be copied.
     * @param reservedValue for the application.
     */
    public void end(final long position, final int frameLength, final int type, final long reservedValue) {
        writer.commit(position, frameLength, type, reservedValue);
    }

    /**
     * Commit what {@link #claim(int, long)} claimed. Any thread, once.
     *
     * @param position      of the frame.
     * @param frameLength   with the header.
     * @param reservedValue for the application.
     * @return false when the claim was given up before.
     */
    public boolean commit(final long position, final int frameLength, final long reservedValue) {
        if (!isOpen(position) || !writer.replaceLengthWord(
            position, claimedWord(position, frameLength, CLAIMED), claimedWord(position, frameLength, COMMITTING))) {
            return false;
        }
        writer.commit(position, frameLength, FrameDescriptor.DATA_TYPE, reservedValue);
        return true;
    }

    /**
     * Turn what {@link #claim(int, long)} claimed into padding. Any thread, once.
     *
     * @param position    of the frame.
     * @param frameLength with the header.
     * @return false when the claim was given up before.
     */
    public boolean abort(final long position, final int frameLength) {
        return isOpen(position) && giveUp(position, frameLength);
    }

    /**
     * Whether a claim is open: the tail does not pass one, so that only what it has not passed yet can be one, not
     * another lap's bytes.
     */
    private boolean isOpen(final long position) {
        return log.tail() <= position;
    }

    private boolean giveUp(final long position, final int frameLength) {
        return writer.replaceLengthWord(position, claimedWord(position, frameLength, CLAIMED),
            FrameDescriptor.lengthWord(frameLength, 0, FrameDescriptor.PADDING_TYPE));
    }

    /**
     * Turn every claim that the application has open into padding. Conductor.
     *
     * @param from a frame boundary, at or before the tail.
     * @param to   claims that begin there or later are spared.
     * @return how many there were.
     */
    public int giveUpAll(final long from, final long to) {
        int claims = 0;
        long position = from;
        while (position < to && writer.isMarked(position)) {
            final long lengthWord = buffer.getLongVolatile(log.offset(position));
            final int frameLength = Math.abs(FrameDescriptor.frameLengthOf(lengthWord));
            if (!fits(position, frameLength)) {
                break;
            }
            if (lengthWord == claimedWord(position, frameLength, CLAIMED) && giveUp(position, frameLength)) {
                claims++;
            }
            position += FrameDescriptor.alignedLength(frameLength);
        }
        return claims;
    }

    /**
     * Whether a frame fits at a position: peers have the log mapped, so that a walk over it does not rely on what it
     * finds.
     */
    private boolean fits(final long position, final int frameLength) {
        return frameLength >= HEADER_LENGTH && frameLength <= windowLength - log.offset(position);
    }

    /**
     * Move the log's tail over committed frames, up to the first claim that is open. One thread at a time.
     */
    public void advance() {
        long position = log.tail();
        final long claimsEnd = end();
        long messages = 0;
        long messageBytes = 0;
        while (position < claimsEnd && writer.isMarked(position)) {
            final long lengthWord = buffer.getLongAcquire(log.offset(position));
            final int frameLength = FrameDescriptor.frameLengthOf(lengthWord);
            final long next = position + FrameDescriptor.alignedLength(frameLength);
            if (!fits(position, frameLength) || next > claimsEnd) {
                break;
            }
            if (FrameDescriptor.typeOf(lengthWord) == FrameDescriptor.DATA_TYPE) {
                messages++;
                messageBytes += frameLength - HEADER_LENGTH;
            }
            position = next;
        }
        log.advance(position, messages, messageBytes);
    }

    /**
     * The position up to which the log is claimed. Any thread.
     *
     * @return a frame boundary at or after the tail.
     */
    public long end() {
        return (long) END.getAcquire(this);
    }
}
