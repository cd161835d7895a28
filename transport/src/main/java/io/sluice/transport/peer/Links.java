package io.sluice.transport.peer;

import io.sluice.transport.status.BreakReason;
import io.sluice.verbs.CompletionQueue;

/**
 * The links of publications and subscriptions, as far as peers and devices concern them: sessions and media tell of
 * what happens to them here, and know nothing else of links. Conductor only.
 */
public interface Links {
    /** {@return who takes the messages of ready peers that are about links} */
    LinkMessages messages();

    /** Links can be made over a session from now on. */
    void onReady(PeerChannel peer);

    /**
     * Links are no more over a peer, which has ended.
     *
     * @param peer       that was ready.
     * @param isPeerGone whether its process is known to have ended.
     */
    void onLost(PeerChannel peer, boolean isPeerGone);

    /** A peer has said goodbye and is gone for good; its transport does not come back. */
    void onGoodbye(PeerChannel peer);

    /** The links over a session have broken for a reason that is known. */
    void onBroken(PeerChannel peer, BreakReason reason);

    /** A completion queue of a session's connection has overrun: it holds up whom it serves. */
    void onOverrun(PeerChannel peer);

    /** A completion queue has overrun, maybe one of links. */
    void onOverrun(CompletionQueue overrun);

    /** Ways from and to a medium's device may be others now. */
    void onWaysChanged(Medium medium);

    /** Tell a peer how far the publications that it is linked to have come. */
    void sendHeartbeats(PeerChannel peer);

    /** {@return whether there are both publications and subscriptions} */
    boolean areOfBothKinds();

    /** {@return whether a publication has been met under a name} */
    boolean isMet(String rendezvous);
}
