package io.sluice.transport.peer;

/** All sessions of a medium, as one of them sees them. Conductor only. */
interface OtherSessions {
    /** {@return the number of sessions, half-open ones and the one that asks included} */
    int count();

    /** {@return whether there is a session already with who says to be the same peer, and it was heard of lately} */
    boolean isAlive(PeerOrigin origin);

    /** Adds a session whose peer is known: it replaces an older session with the same peer, which must be dead. */
    void onReady(ControlSession session);

    /**
     * Removes a session with the subscriptions announced over it: the peer announces them anew, maybe in this very
     * cycle.
     *
     * @param session    that is over.
     * @param isPeerGone whether the peer's process is known to have ended; else it is looked at for a while.
     */
    void onLost(ControlSession session, boolean isPeerGone);

    /** {@return the peers that were refused for who they are} */
    RefusedPeers refusedPeers();

    /** {@return the subscriptions that the peers have announced} */
    PeerSubscriptions announced();
}
