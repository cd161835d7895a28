package io.sluice.transport.stream;

import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.send.OutboundLink;

/**
 * Decides when a broken link tries to resume, and when it has tried for long enough. Conductor only.
 * <pre>
 *   working ──onBroken──→ waiting ──isDue──→ trying ──onAccepted, onConnected──→ working
 *                            ↑ └──isOver──→ given up │
 *                            └───────onFailed────────┘
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>working</td><td>the link breaks: the next attempt is due at once when it has made progress since the last
 *     break, bytes that arrived or were consumed, and else after a pause</td><td>conductor</td></tr>
 *   <tr><td>waiting</td><td>the pause is over, or the way to the peer has changed; or the time without a link adds up
 *     to the resume timeout</td><td>conductor</td></tr>
 *   <tr><td>trying</td><td>the peer accepts and the link works; or the attempt fails, and the pause doubles</td>
 *     <td>set-up, conductor</td></tr>
 * </table>
 * The time in which a peer that is well has yet to say that its end is quiescent does not count: a program that does
 * not poll there gates, as it does while the link works.
 */
public final class ResumeAttempts {
    /**
     * The least time between attempts: soon enough for a peer that is busy with something else, and not so soon that it
     * is kept busy.
     */
    static final long MIN_BACKOFF_NS = 50_000_000L;
    /** The most time between attempts, within which the link notices whatever is mended. */
    static final long MAX_BACKOFF_NS = 500_000_000L;
    /**
     * The number of longest waits that fit into a resume timeout that is short, as long as {@link #MIN_BACKOFF_NS}
     * allows it.
     */
    static final int BACKOFFS_PER_TIMEOUT = 8;

    private final long timeoutNs;
    private final long maxBackOffNs;
    /** The time from which the next attempt is due; all times are the conductor's clock's. */
    private long nextAttemptNs;
    /** The pause before the next attempt: 0 after progress. */
    private long backOffNs;
    /** The time since which the link is without a working epoch; moved on by the time that does not count. */
    private long brokenAtNs;
    /** The time without a working epoch in earlier breaks, since the last progress. */
    private long brokenBeforeNs;
    private long connectedAtNs;
    private long lookedAtNs;
    /**
     * The greatest epoch that the peer has begun, and below it the greatest one after which it was quiescent: while
     * that is less, the peer's program has yet to poll.
     */
    private long peerEpoch;
    private long quiescentEpoch;
    /**
     * The position that the peer had received, and the one that it had consumed, when it accepted last: more than that
     * is progress.
     */
    private long received = OutboundLink.UNSET;
    private long consumed = OutboundLink.UNSET;
    /** Resumptions since the last progress. */
    private int fruitless;
    private boolean hasErred;
    /** Whether the way has changed during the attempt that is under way, which may have begun before. */
    private boolean isWayNew;
    private long toldOfWayNs;
    private BreakReason reason;

    /**
     * Creates attempts of which the first is due.
     *
     * @param timeoutNs how long a link may be broken without progress.
     */
    ResumeAttempts(final long timeoutNs, final long nowNs) {
        this.timeoutNs = timeoutNs;
        maxBackOffNs = Math.clamp(timeoutNs / BACKOFFS_PER_TIMEOUT, MIN_BACKOFF_NS, MAX_BACKOFF_NS);
        nextAttemptNs = nowNs;
        brokenAtNs = nowNs;
        lookedAtNs = nowNs;
        connectedAtNs = nowNs;
        toldOfWayNs = nowNs - MIN_BACKOFF_NS;
    }

    /**
     * Notes that a working link has broken. One that has worked for as long as it may be broken starts anew, if it was
     * idle.
     */
    void onBroken(final BreakReason given, final long consumedPosition, final long nowNs) {
        brokenAtNs = nowNs;
        lookedAtNs = nowNs;
        if (consumedPosition > received || nowNs - connectedAtNs >= timeoutNs) {
            startAnew();
        }
        note(given);
        nextAttemptNs = nowNs + backOffNs;
        // what changed while it worked is what has broken it, or was long ago
        isWayNew = false;
    }

    /** Notes why the link is broken: what is said first; that the peer's end has ended its epoch, too, says nothing. */
    void note(final BreakReason given) {
        if (reason == null || reason == BreakReason.ADMINISTRATIVE) {
            reason = given;
        }
    }

    /** Notes that an attempt has failed for a reason of this side. */
    void onError() {
        hasErred = true;
    }

    /** Notes that an attempt has not led to a working link. */
    void onFailed(final BreakReason given, final long nowNs) {
        note(given);
        backOff();
        nextAttemptNs = isWayNew ? nowNs : nowNs + backOffNs;
        isWayNew = false;
    }

    /**
     * Makes an attempt due at once, and one more if one under way fails: the way to the peer may be another one now.
     */
    void onWayChanged(final long nowNs) {
        nextAttemptNs = nowNs;
        isWayNew = true;
    }

    /**
     * Notes that an attempt is going to succeed. The peer says what it had received; when that was all, it may yet
     * consume it.
     */
    void onAccepted(
        final long receivedPosition, final long consumedPosition, final long tailPosition, final long nowNs) {
        if (receivedPosition > received || receivedPosition >= tailPosition && consumedPosition > consumed) {
            startAnew();
            brokenAtNs = nowNs;
            lookedAtNs = nowNs;
        } else {
            fruitless++;
            backOff();
        }
        received = receivedPosition;
        consumed = consumedPosition;
    }

    /** Notes that the link works. */
    void onConnected(final long nowNs) {
        brokenBeforeNs += nowNs - brokenAtNs;
        connectedAtNs = nowNs;
        isWayNew = false;
    }

    private void startAnew() {
        brokenBeforeNs = 0;
        backOffNs = 0;
        fruitless = 0;
        hasErred = false;
        reason = null;
    }

    private void backOff() {
        backOffNs = Math.clamp(2 * backOffNs, MIN_BACKOFF_NS, maxBackOffNs);
    }

    /** {@return whether a broken link may be tried again} */
    boolean isDue(final long nowNs) {
        return nowNs - nextAttemptNs >= 0;
    }

    /**
     * Notes that the peer's end has begun an epoch: once that is broken, it has to become quiescent.
     *
     * @param epoch that the peer has told.
     */
    public void onPeerBegun(final long epoch) {
        peerEpoch = Math.max(peerEpoch, epoch);
    }

    /**
     * Notes that the peer's end has broken an epoch, and may be quiescent already. A peer that says so again tells of a
     * change of its device: the way to it may be another one. One that says it all the time does not keep attempts from
     * waiting.
     *
     * @param epoch     that the peer has told.
     * @param quiescent whether the peer's end receives nothing more.
     * @param nowNs     time of the conductor's clock.
     */
    public void onPeerBroken(final long epoch, final boolean quiescent, final long nowNs) {
        onPeerBegun(epoch);
        if (quiescent) {
            if (epoch <= quiescentEpoch && nowNs - toldOfWayNs >= MIN_BACKOFF_NS) {
                toldOfWayNs = nowNs;
                onWayChanged(nowNs);
            }
            onPeerQuiescent(epoch);
        }
    }

    /**
     * Notes that the peer's end is quiescent after an epoch, or does not go on for another reason than that.
     *
     * @param epoch that the peer has told.
     */
    public void onPeerQuiescent(final long epoch) {
        quiescentEpoch = Math.max(quiescentEpoch, epoch);
    }

    /**
     * Counts time that has passed without a link, unless the link waits for its turn here, or only the peer, which is
     * well, has yet to become quiescent.
     */
    void look(final boolean isPeerWell, final boolean isWaitingHere, final long nowNs) {
        if (isWaitingHere || isPeerWell && quiescentEpoch < peerEpoch) {
            brokenAtNs += nowNs - lookedAtNs;
        }
        lookedAtNs = nowNs;
    }

    /** {@return whether a broken link is to be given up} */
    boolean isOver(final long nowNs) {
        return brokenBeforeNs + (nowNs - brokenAtNs) > timeoutNs;
    }

    /** {@return whether the link was resumed or could not be for a reason of this side, since it last made progress} */
    boolean isPeerThere() {
        return fruitless > 0 || hasErred;
    }

    /** {@return why it broke first, since it last made progress; null when it did not} */
    BreakReason reason() {
        return reason;
    }

    /** {@return how often the link has resumed without progress, since it last made some} */
    int fruitless() {
        return fruitless;
    }
}
