package io.sluice.transport.connection;

import java.util.concurrent.TimeUnit;

/** A publication's link on its way through the {@link SetUpTurns} of its peer. Conductor only. */
final class SetUpTurn implements SetUpTurns.Turn {
    /** A peer that takes longer to answer, for a reason of that link perhaps, does not keep the others waiting. */
    private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PublicationLink link;
    private boolean isAwaited;
    private long setupSentNs;

    SetUpTurn(final PublicationLink link) {
        this.link = link;
    }

    /** {@return whether the link may be set up now} Else it asks again. */
    boolean take(final long nowNs) {
        isAwaited = !link.session().setUpTurns().take(this, nowNs);
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
        return isAwaited && link.state() == PublicationLinkState.BROKEN || isWithSetUpThread();
    }

    @Override
    public boolean isTaken(final long nowNs) {
        return isWithSetUpThread()
            || link.state() == PublicationLinkState.SETUP_SENT && !isUnanswered(ANSWER_NS, nowNs);
    }

    private boolean isWithSetUpThread() {
        return link.state() == PublicationLinkState.PREPARING || link.state() == PublicationLinkState.CONNECTING;
    }
}
