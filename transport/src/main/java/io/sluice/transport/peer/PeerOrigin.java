package io.sluice.transport.peer;

import io.sluice.transport.settings.TransportId;
import io.sluice.verbs.Connection;
import java.util.HexFormat;

/**
 * The peer that a session is with: what the peer says, which without a pre-shared key anybody can say who has heard of
 * it, and what the medium knows. A link goes on over sessions of its origin, and over no others.
 *
 * @param peerId     that the peer gives itself.
 * @param place      address of its host, or its process where hosts have none.
 * @param isAcceptor whether it was the peer that connected.
 */
public record PeerOrigin(TransportId peerId, String place, boolean isAcceptor) {
    /**
     * Finds the one origin of a transport for both directions: it has a session for each direction in which somebody
     * dialled, and no quota for each.
     *
     * @return an origin that is equal whichever side has connected.
     */
    public PeerOrigin eitherWay() {
        return isAcceptor ? new PeerOrigin(peerId, place, false) : this;
    }

    /**
     * Whether another session is with the same transport, whoever connected.
     *
     * @param other to compare with.
     * @return whether both are of one peer.
     */
    public boolean isSamePeer(final PeerOrigin other) {
        return eitherWay().equals(other.eitherWay());
    }

    static PeerOrigin of(final TransportId peerId, final Connection connection, final boolean isAcceptor) {
        final byte[] address = connection.peerAddress();
        return new PeerOrigin(
            peerId, address.length > 0 ? HexFormat.of().formatHex(address) : connection.peer(), isAcceptor);
    }
}
