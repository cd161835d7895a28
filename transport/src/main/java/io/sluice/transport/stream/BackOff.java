package io.sluice.transport.stream;

/**
 * The pause between the attempts of a broken link to resume: none after progress, and twice as long after each attempt
 * in vain, up to a bound. Conductor only; all times are those of its clock.
 * {@link ResumeAttempts} owns it.
 * <pre>
 *   due ──begin──→ pausing ──the pause is over, or onWayChanged──→ due
 * </pre>
 */
final class BackOff {
    /**
     * The least time between attempts: soon enough for a peer that is busy with something else, and not so soon that it
     * is kept busy.
     */
    static final long MIN_NS = 50_000_000L;
    /** The most time between attempts, within which the link notices whatever is mended. */
    static final long MAX_NS = 500_000_000L;
    /**
     * The number of longest waits that fit into a resume timeout that is short, as long as {@link #MIN_NS} allows it.
     */
    static final int PAUSES_PER_TIMEOUT = 8;

    private final long maxNs;
    /** The time from which the next attempt is due. */
    private long nextAttemptNs;
    /** The pause before the next attempt: 0 after progress. */
    private long pauseNs;
    /** Whether the way has changed during the attempt that is under way, which may have begun before. */
    private boolean isWayNew;

    /**
     * Creates a pause that is over.
     *
     * @param timeoutNs how long a link may be broken without progress.
     */
    BackOff(final long timeoutNs, final long nowNs) {
        maxNs = Math.clamp(timeoutNs / PAUSES_PER_TIMEOUT, MIN_NS, MAX_NS);
        nextAttemptNs = nowNs;
    }

    /** Notes that there is progress: the next attempt is due at once. */
    void reset() {
        pauseNs = 0;
    }

    /** Makes the pause twice as long. */
    void lengthen() {
        pauseNs = Math.clamp(2 * pauseNs, MIN_NS, maxNs);
    }

    /** Starts the pause because a working link has broken. */
    void onBroken(final long nowNs) {
        nextAttemptNs = nowNs + pauseNs;
        // what changed while it worked is what has broken it, or was long ago
        isWayNew = false;
    }

    /** Starts the pause, which is longer now, because an attempt has failed; none when the way has changed since. */
    void onFailed(final long nowNs) {
        lengthen();
        nextAttemptNs = isWayNew ? nowNs : nowNs + pauseNs;
        isWayNew = false;
    }

    /** Ends the pause, also the one after an attempt that is under way: the way to the peer may be another one now. */
    void onWayChanged(final long nowNs) {
        nextAttemptNs = nowNs;
        isWayNew = true;
    }

    /** Notes that the link works, so that the way is known to be good. */
    void onConnected() {
        isWayNew = false;
    }

    /** {@return whether the pause is over} */
    boolean isOver(final long nowNs) {
        return nowNs - nextAttemptNs >= 0;
    }
}
