package io.sluice.transport.peer;

import io.sluice.transport.settings.TransportId;

/**
 * The peer of one control connection, as far as it is known: where it was met, and who it is. Written by the session
 * and its handshake, read by whoever has to tell one peer from another. Conductor only; the connection is not owned,
 * and there is nothing to be freed.
 */
final class PeerIdentity {
    private final ControlConnection connection;
    /**
     * Whether the peer has dialled. Whoever has dialled proves itself first (029), and a pair of transports may have
     * one session of each direction.
     */
    private final boolean isAcceptor;
    /**
     * The address as this side knows it: the one that was dialled, as the application wrote it, or the one listened at.
     */
    private final String endpoint;
    /**
     * The peer by the id that it gives itself. Known from the start where a listener's name tells it, from the answer
     * of the connection manager where an address was dialled, else since the Hello; null before. Only a key proves it.
     */
    private TransportId id;
    /**
     * The peer by its id and by what it cannot choose, since its Hello; null before. Links resume over sessions of an
     * equal origin only.
     */
    private PeerOrigin origin;
    /** The peer's name for people: from its Hello without a key, from its Introduction with one, empty before. */
    private String clientName = "";

    /**
     * Creates the identity of a peer of which nothing else is known.
     *
     * @param connection that was dialled or accepted.
     * @param isAcceptor whether the peer has dialled.
     * @param endpoint   address that was dialled or listened at.
     * @param expectedId of the peer where its name tells it, else null: then the answer or the Hello tells.
     */
    PeerIdentity(
        final ControlConnection connection,
        final boolean isAcceptor,
        final String endpoint,
        final TransportId expectedId) {
        this.connection = connection;
        this.isAcceptor = isAcceptor;
        this.endpoint = endpoint;
        id = expectedId;
    }

    /**
     * Takes the id of a peer that was dialled by its address from the answer of the connection manager.
     *
     * @return false when another program has answered: it has no id.
     */
    boolean takeAnswer() {
        if (id == null && !isAcceptor) {
            id = PrivateData.acceptor(connection.connection().privateData());
        }
        return id != null || isAcceptor;
    }

    /**
     * Takes what the peer says of itself in its Hello.
     *
     * @param toldId   that it gives itself.
     * @param toldName for people, printable; empty where there is a key.
     */
    void greeted(final TransportId toldId, final String toldName) {
        id = toldId;
        origin = PeerOrigin.of(toldId, connection.connection(), isAcceptor);
        clientName = toldName;
    }

    /** Takes the name that the peer tells once it is known, printable. */
    void introduced(final String toldName) {
        clientName = toldName;
    }

    /** {@return whether the peer has dialled} */
    boolean isAcceptor() {
        return isAcceptor;
    }

    /** {@return the address that was dialled, as the application wrote it, or listened at} */
    String endpoint() {
        return endpoint;
    }

    /** {@return the id that the peer gives itself; null before it is known} */
    TransportId id() {
        return id;
    }

    /** {@return the origin of the peer; null before its Hello} */
    PeerOrigin origin() {
        return origin;
    }

    /**
     * {@return the peer's name for people, as messages show it; the empty text when the peer has none}
     *
     * @param separator that parts it from what stands before.
     */
    String client(final String separator) {
        return clientName.isEmpty() ? "" : separator + "client=" + clientName;
    }

    /** {@return the address of the peer, for people} */
    String peerName() {
        return connection.peer();
    }

    /** {@return the address of the peer's host: a peer that connects comes from another port each time} */
    String host() {
        return RefusedPeers.hostOf(connection.peer());
    }

    /** {@return the part of the peer's address that the peer cannot choose} */
    String distinctPeer() {
        return isAcceptor ? host() : connection.peer();
    }
}
