package io.sluice.transport.peer;

/**
 * A medium as its control sessions see it: who may be met there, and what its peers are told. Conductor only, but for
 * what {@link Medium} lets any thread do.
 */
interface SessionMedium extends Medium {
    /** The reason why a peer is refused whose address {@link #allows} does not. */
    String NOT_ON_LIST = "the peer's address is not on the list of those that are allowed";

    /** {@return the sessions that are on it} */
    OtherSessions sessions();

    /** {@return whether a peer may have an address} On a medium without addresses every peer may be there. */
    boolean allows(byte[] address);

    /** {@return whether a session that has just been connected is to go on} */
    boolean isWanted(ControlSession session);

    /** {@return whether a peer is to hear of a subscription} */
    boolean announces(PeerIdentity peer, Party subscription);

    /** {@return whether a peer's subscription is meant by who meets others under a name} */
    boolean isMet(String rendezvous, PeerIdentity peer, PeerSubscription subscription);

    /** Notes that a session is over and forgotten. */
    void onForgotten(ControlSession session);
}
