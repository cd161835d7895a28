package io.sluice.transport.peer;

import io.sluice.transport.counters.BreakReason;
import io.sluice.verbs.CompletionQueue;

/**
 * The links of publications and subscriptions, as far as peers and devices concern them: sessions and media tell of
 * what happens to them here, and know nothing else of links. Conductor only.
 */
public interface Links {
    /** {@return the handler of those messages of ready peers that are about links} */
    LinkMessages messages();

    /**
     * Notes that links can be made over a session from now on.
     *
     * @param peer that has introduced itself.
     */
    void onReady(ConnectedPeer peer);

    /**
     * Notes that links are no more over a peer, which has ended. Told once more of a peer that is known only later to
     * be gone.
     *
     * @param peer       that was ready.
     * @param isPeerGone whether its process is known to have ended.
     */
    void onLost(ConnectedPeer peer, boolean isPeerGone);

    /**
     * Notes that a peer has said goodbye and is gone for good; its transport does not come back.
     *
     * @param peer that has said goodbye.
     */
    void onGoodbye(ConnectedPeer peer);

    /**
     * Notes that the links over a session have broken for a reason that is known.
     *
     * @param peer   whose links are to break.
     * @param reason why.
     */
    void onBroken(ConnectedPeer peer, BreakReason reason);

    /**
     * Notes that a completion queue of a session's connection has overrun: it holds up whom it serves.
     *
     * @param peer whose queue pairs are dead.
     */
    void onOverrun(ConnectedPeer peer);

    /**
     * Notes that a completion queue has overrun, maybe one of links.
     *
     * @param overrun the completion queue that is dead.
     */
    void onOverrun(CompletionQueue overrun);

    /**
     * Notes that ways from and to a medium's device may be others now.
     *
     * @param medium whose ways have changed.
     */
    void onWaysChanged(Medium medium);

    /**
     * Tell a peer how far the publications that it is linked to have come.
     *
     * @param peer to send to.
     */
    void sendHeartbeats(ConnectedPeer peer);

    /** {@return whether there are both publications and subscriptions} */
    boolean areOfBothKinds();

    /**
     * {@return whether a publication has been met under a name}
     *
     * @param rendezvous where publications and subscriptions meet.
     */
    boolean isMet(String rendezvous);
}
