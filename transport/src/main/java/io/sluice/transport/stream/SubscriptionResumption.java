package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import java.util.function.Consumer;

/**
 * The way of a subscription's link from a broken epoch to the next one, as the conductor sees it:
 * <pre>
 *   live ──onBroken──→ broken ──onQuiesced──→ quiescent ──the publisher asks──→ the next epoch is prepared
 *                        └──the publisher asks──→ asked for ──onQuiesced──↗          │ fails
 *                                                      quiescent ←───────────────────┘
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>broken, asked for</td><td>the queue pair is destroyed, and the polling thread has taken what had
 *     arrived</td><td>set-up, polling</td></tr>
 *   <tr><td>quiescent</td><td>the publisher asks, or the liveness timeout is over</td><td>conductor</td></tr>
 * </table>
 * Only a quiescent link may have another epoch: the received position is final then, and no device writes any more
 * (005). Conductor only. The link owns it; it holds no memory.
 */
final class SubscriptionResumption {
    private final Services services;
    private final SubscriptionLinkStanding standing;
    private final SubscriptionEpochs epochs;
    private final SubscriptionLinkNotices notices;
    private final SubscriptionLinkEnd end;
    /** The start of the epoch that a publisher asks for. */
    private final Consumer<SetupRequest> next;
    /**
     * The publisher's request that came before the broken epoch was quiescent, the last one if there are more; null
     * otherwise. It has waited for the polling thread, and is answered when that has come by.
     */
    private SetupRequest pending;
    /**
     * Whether nothing arrives any more in the broken epoch, so that the received position is final. Means something in
     * BROKEN and in the PREPARING after it: an attempt that fails there leaves it true.
     */
    private boolean quiesced;
    /**
     * The position that the last broken epoch had received when it was quiescent: the one that the next epoch begins
     * at.
     */
    private long receivedPosition;
    /**
     * The time of the conductor's clock since which the link is broken and could be resumed; of BROKEN only. It is
     * moved on as long as only this side's own program keeps it.
     */
    private long brokenAtNs;

    SubscriptionResumption(
        final Services services,
        final SubscriptionLinkStanding standing,
        final SubscriptionEpochs epochs,
        final SubscriptionLinkNotices notices,
        final SubscriptionLinkEnd end,
        final Consumer<SetupRequest> next) {
        this.services = services;
        this.standing = standing;
        this.epochs = epochs;
        this.notices = notices;
        this.end = end;
        this.next = next;
    }

    /**
     * Ends the epoch: the queue pair fails at once, the set-up thread destroys it, and then the polling thread takes
     * what had arrived. Only after both is the received position final, and told (005). If the queue pair cannot be
     * destroyed the link ends, since its device might still write.
     *
     * @param reason for the application, should the link not be resumed.
     */
    void onBroken(final BreakReason reason) {
        end.noteBreak(reason);
        brokenAtNs = services.nowNs();
        standing.moveTo(SubscriptionLinkState.BROKEN);
        quiesced = false;
        final long brokenEpoch = standing.epoch();
        epochs.end(received -> services.tasks().execute(() -> onQuiesced(brokenEpoch, received)),
            () -> end.giveUp(CloseReason.RESUME_TIMEOUT));
    }

    /**
     * Tells the publisher where to go on from, and takes up its request if that has come before. The word is
     * ADMINISTRATIVE, since the reason of the break was told when it was known.
     *
     * @param brokenEpoch that was ended: another one may have been begun by now, and then this is of no use.
     * @param received    position up to which all has arrived, in bytes.
     */
    private void onQuiesced(final long brokenEpoch, final long received) {
        if (!standing.is(SubscriptionLinkState.BROKEN) || brokenEpoch != standing.epoch()) {
            return;
        }
        quiesced = true;
        receivedPosition = received;
        notices.broken(BreakReason.ADMINISTRATIVE, received);
        if (pending != null) {
            next.accept(pending);
        }
    }

    /**
     * Notes that the device has changed: the publication may try at once what has failed. The quiescent notice is said
     * once more for that, which every version of the protocol understands (005). In all other states the link works, or
     * somebody is at it already.
     */
    void onWayChanged() {
        if (standing.is(SubscriptionLinkState.BROKEN) && quiesced) {
            notices.broken(BreakReason.ADMINISTRATIVE, receivedPosition);
        }
    }

    /**
     * Whether nothing arrives and nothing is reported in the current epoch: it has ended, or not begun. Then the ring
     * can be given to a consumer that does not come back, and the link goes on in another one.
     */
    boolean isQuiescent() {
        return !standing.state().isLive() && (!standing.is(SubscriptionLinkState.BROKEN) || quiesced);
    }

    /** Starts the epoch that the publisher asks for, now or when the broken epoch is quiescent. */
    void resume(final SetupRequest request) {
        if (quiesced) {
            next.accept(request);
        } else {
            pending = request;
        }
    }

    /** Forgets a request that waits, because it is being answered, or cannot be any more. */
    void forgetRequest() {
        pending = null;
    }

    /** Notes that a set-up is given up because its peer is lost: the link is as quiescent as the set-up found it. */
    void onSetupLost() {
        brokenAtNs = services.nowNs();
        standing.moveTo(SubscriptionLinkState.BROKEN);
        quiesced = true;
    }

    /**
     * Gives the link up when it was broken for longer than the liveness timeout. The publication has given up before by
     * its resume timeout, which is not longer on the same settings. In BROKEN, each duty cycle.
     */
    void look(final long nowNs) {
        if (!quiesced && notices.canTell()) {
            // the program has yet to poll: it holds the publication up, as it does while the link works
            brokenAtNs = nowNs;
        } else if (nowNs - brokenAtNs > services.parameters().durations().livenessTimeoutNs()) {
            end.giveUp(CloseReason.RESUME_TIMEOUT);
        }
    }

    /** {@return the position that the next epoch goes on from; final once the link is quiescent} */
    long receivedPosition() {
        return receivedPosition;
    }
}
