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
    private final long timeoutNs;
    private final BackOff pause;
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
    private long toldOfWayNs;
    private BreakReason reason;

    /**
     * Creates attempts of which the first is due.
     *
     * @param timeoutNs how long a link may be broken without progress.
     */
    ResumeAttempts(final long timeoutNs, final long nowNs) {
        this.timeoutNs = timeoutNs;
        pause = new BackOff(timeoutNs, nowNs);
        brokenAtNs = nowNs;
        lookedAtNs = nowNs;
        connectedAtNs = nowNs;
        toldOfWayNs = nowNs - BackOff.MIN_NS;
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
        pause.onBroken(nowNs);
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
        pause.onFailed(nowNs);
    }

    /**
     * Makes an attempt due at once, and one more if one under way fails: the way to the peer may be another one now.
     */
    void onWayChanged(final long nowNs) {
        pause.onWayChanged(nowNs);
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
            pause.lengthen();
        }
        received = receivedPosition;
        consumed = consumedPosition;
    }

    /** Notes that the link works. */
    void onConnected(final long nowNs) {
        brokenBeforeNs += nowNs - brokenAtNs;
        connectedAtNs = nowNs;
        pause.onConnected();
    }

    private void startAnew() {
        brokenBeforeNs = 0;
        pause.reset();
        fruitless = 0;
        hasErred = false;
        reason = null;
    }

    /** {@return whether a broken link may be tried again} */
    boolean isDue(final long nowNs) {
        return pause.isOver(nowNs);
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
            if (epoch <= quiescentEpoch && nowNs - toldOfWayNs >= BackOff.MIN_NS) {
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

    /** {@return the reason why the link broke first, since it last made progress; null when it did not} */
    BreakReason reason() {
        return reason;
    }

    /** {@return the number of times that the link has resumed without progress, since it last made some} */
    int fruitless() {
        return fruitless;
    }
}
