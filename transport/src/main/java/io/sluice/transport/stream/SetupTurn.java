package io.sluice.transport.stream;

import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.SetupTurns;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A publication's link on its way through the {@link SetupTurns} of its peer. Conductor only.
 * <pre>
 *   free ──take──→ taken ──the link works, or breaks, or has waited 200 ms for an answer──→ free
 *     └──take refused──→ awaited ──take──→ taken
 * </pre>
 * <table>
 *   <caption>The states of the link that each stands for, what moves it, and the thread of the work before</caption>
 *   <tr><td>free</td><td>BROKEN, JOINING, ACTIVE, GONE</td><td>a link that is BROKEN, or new, asks</td>
 *     <td>conductor</td></tr>
 *   <tr><td>awaited</td><td>BROKEN</td><td>another link's turn is over, and this one asks first</td>
 *     <td>conductor</td></tr>
 *   <tr><td>taken</td><td>PREPARING</td><td>queue pair and feedback cell are made</td><td>set-up</td></tr>
 *   <tr><td>taken</td><td>SETUP_SENT</td><td>the peer answers; after 200 ms without an answer it is free</td>
 *     <td>conductor</td></tr>
 *   <tr><td>taken</td><td>CONNECTING</td><td>the queue pair is ready to send</td><td>set-up</td></tr>
 * </table>
 * An answer that comes after the 200 ms is taken all the same: the link connects without a turn, and for so long one
 * more than 8 may be under way.
 */
final class SetupTurn implements SetupTurns.Turn {
    /** A peer that takes longer to answer, for a reason of that link perhaps, does not keep the others waiting. */
    private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The state of the link, asked each time: a turn ends because the link moves on, and nobody has to say so. */
    private final Supplier<PublicationLinkState> state;
    /**
     * Whether the last request was refused because all turns were taken; means something only while the link is BROKEN.
     */
    private boolean isAwaited;
    /** The time of the conductor's clock when the last Setup was sent; means something only in SETUP_SENT. */
    private long setupSentNs;

    /** A turn of a link that is in this state. */
    SetupTurn(final Supplier<PublicationLinkState> state) {
        this.state = state;
    }

    /**
     * {@return whether the link may be set up now} When it may not, the link stays BROKEN and asks again in the next
     * duty cycle.
     *
     * @param peer  whose turns they are; with another control session come other turns.
     * @param nowNs time of the conductor's clock.
     */
    boolean take(final ConnectedPeer peer, final long nowNs) {
        isAwaited = !peer.takeSetupTurn(this, nowNs);
        return !isAwaited;
    }

    /**
     * Notes that the peer is asked from now on. Both the 200 ms and the handshake timeout count from here: the time
     * that this side's set-up thread took before is not the peer's.
     */
    void onSetupSent(final long nowNs) {
        setupSentNs = nowNs;
    }

    /**
     * {@return whether the peer has not answered for so long} Asked in SETUP_SENT only. A peer that still reads what
     * came over an earlier link of this publication does not answer either ({@link DeferredSetups}).
     */
    boolean isUnanswered(final long timeoutNs, final long nowNs) {
        return nowNs - setupSentNs > timeoutNs;
    }

    /**
     * {@return whether the link waits for others of this side, or for the set-up thread} That is nothing that the peer
     * could hurry up, so it does not count as time in which the link was not resumed ({@link ResumeAttempts#look}).
     */
    boolean isWaitingHere() {
        return isAwaited && state.get() == PublicationLinkState.BROKEN || isWithSetupThread();
    }

    @Override
    public boolean isTaken(final long nowNs) {
        return isWithSetupThread()
            || state.get() == PublicationLinkState.SETUP_SENT && !isUnanswered(ANSWER_NS, nowNs);
    }

    private boolean isWithSetupThread() {
        return state.get() == PublicationLinkState.PREPARING || state.get() == PublicationLinkState.CONNECTING;
    }
}
