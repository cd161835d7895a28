package io.sluice.transport.send;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.SendQueueLedger;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkFlags;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The publication's end of one link in one epoch: posts ranges of the send log into the peer's receive ring and reads
 * the peer's feedback. To a peer that looks at the frames of the log itself (completion=memory) nothing is posted.
 * This is the sending data path.
 * <p>
 * The holder of the post token calls {@link #post(long)} and {@link #onCompletion(boolean)}; the writing thread may
 * also call {@link #consumedPosition()}; everything else may be called from any thread. The conductor owns queue pair
 * and feedback memory and releases them when the publication no longer refers to the link.
 */
public final class OutboundLink {
    /** A position that is not known yet. */
    public static final long UNSET = -1;

    /** The value of the words of a feedback cell before the peer has written them. */
    private static final long FRESH_CELL = 0;

    private static final VarHandle JOIN_POSITION;
    private static final VarHandle POSTED_POSITION;
    private static final VarHandle CONSUMED_POSITION;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            JOIN_POSITION = lookup.findVarHandle(OutboundLink.class, "joinPosition", long.class);
            POSTED_POSITION = lookup.findVarHandle(OutboundLink.class, "postedPosition", long.class);
            CONSUMED_POSITION = lookup.findVarHandle(OutboundLink.class, "consumedPosition", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final OutboundLinkParameters parameters;
    private final QueuePair queuePair;
    private final UnsafeBuffer feedback;
    private final SendQueueLedger ledger;
    private final long workRequestId;
    private final long logAddress;
    private final int logKey;
    private final long ringAddress;
    private final int ringKey;
    private final long positionMask;
    private final int windowLength;
    private final int maxInlineLength;
    private final int receiveDepth;
    private final int maxWritesInFlight;
    private final boolean isResumed;
    private final boolean memoryCompletion;
    private final boolean gates;

    private volatile BreakReason breakReason;
    private volatile boolean leftBehind;
    private volatile long joinPosition;
    private long postedPosition;
    private long writesPosted;
    private long receivesPosted;
    private long consumedPosition;
    private PostDeferrals deferrals = new PostDeferrals();
    private long deferredAtWrites = UNSET;

    /**
     * Creates a link that gates, whose queue pair is ready to send.
     *
     * @param parameters where the bytes lie on both sides, and the bounds.
     */
    public OutboundLink(final OutboundLinkParameters parameters) {
        this(parameters, true);
    }

    /**
     * Creates a link whose queue pair is ready to send.
     *
     * @param parameters where the bytes lie on both sides, and the bounds.
     * @param gates      whether the publication waits for it; else it may be left behind.
     */
    public OutboundLink(final OutboundLinkParameters parameters, final boolean gates) {
        this.parameters = parameters;
        this.gates = gates;
        queuePair = parameters.queuePair();
        feedback = parameters.feedbackRegion().buffer();
        ledger = new SendQueueLedger(
            Math.min(queuePair.attributes().maxSendWork(), parameters.limits().sendQueueLength()),
            parameters.limits().signalInterval());
        workRequestId = WorkRequestId.pack(WorkRequestId.KIND_DATA, parameters.index(), parameters.generation());
        logAddress = parameters.logRegion().address();
        logKey = parameters.logRegion().localKey();
        final PeerRing ring = parameters.ring();
        ringAddress = ring.memory().address();
        ringKey = ring.memory().key();
        windowLength = ring.windowLength();
        positionMask = windowLength - 1L;
        maxInlineLength = ring.sharedLog() ? -1 : queuePair.attributes().maxInlineData();
        receiveDepth = ring.receiveDepth();
        receivesPosted = receiveDepth;
        maxWritesInFlight = Math.min(parameters.limits().maxWritesInFlight(), receiveDepth);
        memoryCompletion = ring.memoryCompletion();
        joinPosition = parameters.start().resumePosition();
        isResumed = joinPosition != UNSET;
        postedPosition = joinPosition;
        consumedPosition = parameters.start().consumedPosition();
    }

    /**
     * Post what is committed and not yet posted, as far as credit and slots allow: one write, or two around the
     * ring's end. A peer that looks at the frames themselves needs no write.
     *
     * @param committedPosition end of the committed prefix of the log.
     * @return true when nothing is left to post now, also because the link is broken; false when a tail must wait.
     */
    public boolean post(final long committedPosition) {
        if (memoryCompletion) {
            onCommitted(committedPosition);
            return true;
        }
        if (breakReason != null) {
            return true;
        }
        long position = postedPosition == UNSET ? joinPosition : postedPosition;
        while (position < committedPosition) {
            if (!hasRoom() && !findRoom()) {
                return !defer();
            }
            final int offset = (int) (position & positionMask);
            final int length = (int) Math.min(committedPosition - position, windowLength - offset);
            final long end = position + length;
            // before the write: the peer's feedback for it must never seem to come from the future
            POSTED_POSITION.setRelease(this, end);
            if (!write(offset, length, ImmediatePosition.immediate(end))) {
                return true;
            }
            position = end;
        }
        return true;
    }

    /** {@return whether the peer looks at the frames of the log itself, so that nothing is posted to it} Any thread. */
    boolean isMemoryCompletion() {
        return memoryCompletion;
    }

    /** Note what a peer may see that looks at the frames itself. Holder of the token. */
    void onCommitted(final long committedPosition) {
        if (breakReason == null) {
            POSTED_POSITION.setRelease(this, committedPosition);
        }
    }

    private boolean write(final int offset, final int length, final int immediate) {
        final boolean signalled = ledger.nextIsSignalled();
        final int flags = (signalled ? WorkFlags.SIGNALED : WorkFlags.NONE)
            | (length <= maxInlineLength ? WorkFlags.INLINE : WorkFlags.NONE);
        final int result = queuePair.postWriteWithImmediate(
            workRequestId, flags, logAddress + offset, logKey, length, ringAddress + offset, ringKey, immediate);
        if (result != Errno.OK) {
            fail(BreakReason.QUEUE_PAIR_ERROR);
            return false;
        }
        ledger.onPosted(signalled);
        writesPosted++;
        return true;
    }

    /** {@return whether a tail must wait, which a broken link's need not} Counted once between two writes. */
    private boolean defer() {
        if (breakReason != null) {
            return false;
        }
        if (deferredAtWrites != writesPosted) {
            deferredAtWrites = writesPosted;
            if (ledger.hasRoom()) {
                deferrals.onReceiverNotReady();
            } else {
                deferrals.onSendQueueFull();
            }
        }
        return true;
    }

    /** {@return whether committed bytes are waiting for room now} Any thread, perhaps late. */
    public boolean isDeferred() {
        return deferredAtWrites == writesPosted && breakReason == null;
    }

    private boolean hasRoom() {
        return writesPosted - (receivesPosted - receiveDepth) < maxWritesInFlight && ledger.hasRoom();
    }

    private boolean findRoom() {
        final long receives = feedback.getLongAcquire(FeedbackDescriptor.RECEIVES_POSTED_OFFSET);
        if (receives != FRESH_CELL && receives != receivesPosted) {
            if (receives < receivesPosted || receives > writesPosted + receiveDepth) {
                fail(BreakReason.BAD_FEEDBACK);
                return false;
            }
            receivesPosted = receives;
        }
        return hasRoom();
    }

    /**
     * Whether the send completion queue should be reaped for this link's sake.
     *
     * @return true when its send queue is half full.
     */
    public boolean wantsReaping() {
        return !memoryCompletion && ledger.wantsReaping();
    }

    /**
     * Notes that a completion with this link's work-request id arrived.
     *
     * @param successful whether its status was success.
     */
    public void onCompletion(final boolean successful) {
        if (!successful || !ledger.onCompletion()) {
            fail(BreakReason.COMPLETION_ERROR);
        }
    }

    /**
     * The position up to which the peer's consumers are done, read afresh from the feedback cell.
     *
     * @return a position that only grows; log bytes before it are no longer owed to this link.
     */
    public long consumedPosition() {
        // known before reported: both only grow, so that a reported value seen later cannot rightly be smaller
        final long known = Math.max((long) CONSUMED_POSITION.getAcquire(this), isResumed ? UNSET : joinPosition);
        final long reported = feedback.getLongAcquire(FeedbackDescriptor.CONSUMED_POSITION_OFFSET);
        if (reported == known || reported == FRESH_CELL || breakReason != null) {
            return known;
        }
        if (reported < known || reported > consumableEnd()) {
            fail(BreakReason.BAD_FEEDBACK);
            return known;
        }
        return advanceConsumed(reported);
    }

    /**
     * Advances the consumed position, for writing thread and conductor alike: the later of two reports must not be
     * taken back by the earlier.
     */
    private long advanceConsumed(final long reported) {
        long known = (long) CONSUMED_POSITION.getAcquire(this);
        while (known < reported && !CONSUMED_POSITION.compareAndSet(this, known, reported)) {
            known = (long) CONSUMED_POSITION.getAcquire(this);
        }
        return Math.max(known, reported);
    }

    /**
     * The greatest position that the peer can have consumed. The peer may see a frame before the writing thread has
     * noted it as posted, but no frame was claimed further than a window from what was known to be consumed. To be read
     * after what is reported, since another thread may have moved on meanwhile.
     */
    private long consumableEnd() {
        return memoryCompletion
            ? Math.max((long) CONSUMED_POSITION.getAcquire(this), joinPosition) + windowLength
            : (long) POSTED_POSITION.getAcquire(this);
    }

    /**
     * Break the link: nothing is posted on it any more, and it goes on to gate the log until the conductor replaces or
     * removes it. The first reason stays, unless it was what the overrun of a completion queue looks like at first.
     *
     * @param reason why.
     */
    public void fail(final BreakReason reason) {
        if (breakReason == null
            || reason == BreakReason.COMPLETION_QUEUE_OVERRUN && breakReason.mayComeOfOverrun()) {
            breakReason = reason;
        }
    }

    /**
     * The reason why the link is broken.
     *
     * @return the reason, or null while it works.
     */
    public BreakReason breakReason() {
        return breakReason;
    }

    /**
     * Whether the publication waits for this link.
     *
     * @return false when it may be left behind.
     */
    public boolean gates() {
        return gates;
    }

    /**
     * Ask the conductor to close this link, which stands in the way. It goes on to gate until that is done.
     *
     * @return false when that was asked before.
     */
    boolean leaveBehind() {
        if (leftBehind) {
            return false;
        }
        leftBehind = true;
        return true;
    }

    /**
     * Whether the link is to be closed because it stands in the way. Any thread.
     *
     * @return true once a claim was refused because of it.
     */
    public boolean isLeftBehind() {
        return leftBehind;
    }

    /**
     * Fix where the link joins the stream, once: whoever comes first, the writing thread or the conductor.
     *
     * @param position of a frame boundary at or before which everything is committed.
     */
    public void join(final long position) {
        JOIN_POSITION.compareAndSet(this, UNSET, position);
    }

    /**
     * The position where the link joins the stream.
     *
     * @return the position, or {@link #UNSET}.
     */
    public long joinPosition() {
        return joinPosition;
    }

    /**
     * The position up to which the log has been handed to the device.
     *
     * @return the position, or {@link #UNSET} before the join.
     */
    public long postedPosition() {
        final long position = (long) POSTED_POSITION.getAcquire(this);
        return position == UNSET ? joinPosition : position;
    }

    /**
     * The parameters of the link: where the bytes lie, and the bounds.
     *
     * @return what the link was made of.
     */
    public OutboundLinkParameters parameters() {
        return parameters;
    }

    /**
     * The numbers of times that posts had to wait.
     *
     * @return counts of this epoch and those that it {@link #countOn counts on} from.
     */
    public PostDeferrals deferrals() {
        return deferrals;
    }

    /**
     * Go on counting where another epoch of the link has stopped. Conductor, before the first post.
     *
     * @param previous of the same link.
     */
    public void countOn(final OutboundLink previous) {
        deferrals = previous.deferrals;
    }
}
