package io.sluice.transport.stream;

import io.sluice.transport.peer.PeerChannel;
import io.sluice.transport.peer.SetupTurns;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A publication's link on its way through the {@link SetupTurns} of its peer. Conductor only. */
final class SetupTurn implements SetupTurns.Turn {
    /** A peer that takes longer to answer, for a reason of that link perhaps, does not keep the others waiting. */
    private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Supplier<PublicationLinkState> state;
    private boolean isAwaited;
    private long setupSentNs;

    /** Of a link that is in this state. */
    SetupTurn(final Supplier<PublicationLinkState> state) {
        this.state = state;
    }

    /** {@return whether the link may be set up now} Else it asks again. */
    boolean take(final PeerChannel peer, final long nowNs) {
        isAwaited = !peer.takeSetupTurn(this, nowNs);
        return !isAwaited;
    }

    void onSetupSent(final long nowNs) {
        setupSentNs = nowNs;
    }

    /** {@return whether the peer has not answered for so long} */
    boolean isUnanswered(final long timeoutNs, final long nowNs) {
        return nowNs - setupSentNs > timeoutNs;
    }

    /** {@return whether it waits for others of this side, or for the set-up thread} */
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
