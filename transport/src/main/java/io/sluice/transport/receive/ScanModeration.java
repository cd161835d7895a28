package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import org.agrona.concurrent.NanoClock;

/**
 * Keeps the polling thread of a shared log off the lines that a fast publisher is about to write. One that looks at
 * every message as soon as it is there takes those lines away from the publisher, its processor's prefetcher even some
 * that are still to be written, and both then wait for each line to come back: the stream may be a third as fast. So
 * when a stream has been dense for a while, its polling thread stays away for a moment each time it has caught up, like
 * the moderation of a completion queue ({@code ibv_modify_cq(3)}), and finds many messages then.
 * <p>
 * That makes messages late, by the period at most. Therefore a log is only held
 * <ul>
 * <li>in a stream of more than a byte per nanosecond, of which {@value #TRIAL_SPANS} spans came without a pause. Round
 * trips of some hundred bytes, one right after the other, are as dense as that;
 * <li>while it pays: while the stream is faster by an eighth than its last {@value #TRIAL_SPANS} spans were that came
 * while it was not held. A publisher that keeps to a rate, or waits for replies, is no faster for it, and is left alone
 * after one try. The next one comes after twice as many spans as the one before, {@value #TRIAL_SPANS_MAX} at most.
 * Whether it still pays is found out anew after {@value #HELD_SPANS_MAX} held spans, as the stream may have become
 * faster meanwhile by itself.
 * </ul>
 * Polling thread only; allocates nothing. The clock is asked at most once for {@value #SPAN_LENGTH} bytes of a stream,
 * not for those that are far from the next try, and each time that a held log would be looked at.
 */
public final class ScanModeration {
    /** The moderation of logs that are looked at in every poll. */
    public static final ScanModeration NONE = new ScanModeration(() -> 0, 0, 0);

    /**
     * The least number of bytes by which a rate is known: reading the clock then takes some hundredths of a stream's
     * time.
     */
    static final int SPAN_LENGTH = 4096;

    /** Dense spans before a try: 64 KiB, more than the bursts of which each message should be found at once. */
    static final int TRIAL_SPANS = 16;

    /**
     * The most spans before a try, 64 MiB: a stream that is no faster for it is held for less than a hundredth of its
     * time.
     */
    static final int TRIAL_SPANS_MAX = 1 << 14;

    /**
     * The number of held spans after which is found out anew whether holding pays, some ten milliseconds: {@value
     * #TRIAL_SPANS} spans that are not held are a hundredth of what came in them, or less.
     */
    static final int HELD_SPANS_MAX = 1024;

    /**
     * The rate above which a stream is dense, in bytes per nanosecond: a slower one leaves its publisher time to wait
     * for its lines.
     */
    private static final int DENSE_BYTES_PER_NS = 1;

    /** The bytes below which a look counts as having caught up: those of the shortest frames that it goes over. */
    private static final int FULL_SCAN_LENGTH = FrameReader.SCAN_LIMIT * FrameDescriptor.FRAME_ALIGNMENT;

    /**
     * The part of the window that is held back at most, at the rate of the span before: the publication must not come
     * to its end for that, and nobody count as pressed by it. Of a window of 4 MiB it is a multiple of the 16 KiB by
     * which a polling thread should be behind.
     */
    private static final int PARTS_PER_WINDOW = 16;

    /** The factor by which a held stream must be faster at least: less could be chance. */
    private static final double LEAST_GAIN = 1.125;

    private final NanoClock clock;
    private final long periodNs;
    private final long maxHeldLength;
    private boolean isHolding;
    private long heldUntilNs;
    private long spanPosition;
    /** Spans until the next one that is measured; at first the one that began before the link did. */
    private int unmeasuredSpans = 1;
    private long spanNs;
    private boolean isSpanHeld;
    private int heldSpans;
    private int trialSpans = TRIAL_SPANS;
    /** The dense spans measured last in a row, which show how fast the stream is when it is not held. */
    private int denseSpans;
    private long denseLength;
    private long denseNs;

    /**
     * Creates the moderation of a link at which nothing has arrived yet.
     *
     * @param clock        of the environment.
     * @param periodNs     for how long a log is not looked at, at most, in nanoseconds; 0 to look all the time.
     * @param windowLength bytes of the log.
     */
    public ScanModeration(final NanoClock clock, final long periodNs, final int windowLength) {
        this.clock = clock;
        this.periodNs = periodNs;
        maxHeldLength = windowLength / PARTS_PER_WINDOW;
    }

    /** {@return whether the log is not to be looked at in this poll} */
    boolean isHeld() {
        if (isHolding) {
            isHolding = clock.nanoTime() - heldUntilNs < 0;
        }
        return isHolding;
    }

    /**
     * Notes that the log was looked at.
     *
     * @param position up to which bytes had been found before.
     * @param end      up to which they are found now.
     */
    void onLooked(final long position, final long end) {
        if (end - position < FULL_SCAN_LENGTH && end - spanPosition >= SPAN_LENGTH && periodNs > 0) {
            onSpan(end);
        }
    }

    private void onSpan(final long end) {
        final long length = end - spanPosition;
        spanPosition = end;
        if (unmeasuredSpans > 1) {
            unmeasuredSpans--;
            return;
        }
        final long nowNs = clock.nanoTime();
        final long elapsedNs = nowNs - spanNs;
        spanNs = nowNs;
        if (unmeasuredSpans == 1) {
            unmeasuredSpans = 0;
            return;
        }
        final boolean isHoldDue = isSpanHeld ? hasPaid(length, elapsedNs) : hasBeenDense(length, elapsedNs);
        if (isHoldDue) {
            isHolding = true;
            heldUntilNs = nowNs + Math.min(periodNs, maxHeldLength * elapsedNs / length);
        }
        isSpanHeld = isHoldDue;
    }

    /** Whether to go on holding the log after a span that was held at first, since the stream was faster for it. */
    private boolean hasPaid(final long length, final long elapsedNs) {
        final double expectedLength = (double) denseLength / denseNs * elapsedNs;
        final boolean hasPaid = elapsedNs > 0 && length >= expectedLength * LEAST_GAIN;
        if (hasPaid) {
            trialSpans = TRIAL_SPANS;
        } else {
            trialSpans = Math.min(2 * trialSpans, TRIAL_SPANS_MAX);
            unmeasuredSpans = trialSpans - TRIAL_SPANS;
        }
        final boolean goesOn = hasPaid && ++heldSpans < HELD_SPANS_MAX;
        if (!goesOn) {
            forget();
        }
        return goesOn;
    }

    /** Whether, after a span that was not held, there were as many dense ones as a try takes. */
    private boolean hasBeenDense(final long length, final long elapsedNs) {
        if (elapsedNs <= 0 || length < elapsedNs * DENSE_BYTES_PER_NS) {
            forget();
            return false;
        }
        denseLength += length;
        denseNs += elapsedNs;
        return ++denseSpans >= TRIAL_SPANS;
    }

    private void forget() {
        denseSpans = 0;
        denseLength = 0;
        denseNs = 0;
        heldSpans = 0;
    }
}
