package io.sluice.transport.stream;

import io.sluice.transport.peer.PeerOrigin;

/**
 * The identity of a publication's link, which it keeps over all its epochs. Immutable; any thread.
 *
 * @param linkId         unique at this transport, which has chosen it.
 * @param index          in the id of each work request, together with the epoch: by both a completion is known for this
 *                       link's, or for stale.
 * @param origin         of the subscriber's transport: a new control session takes the link over when its origin is
 *                       equal, no other one does.
 * @param subscriptionId unique there.
 * @param peerName       the peer as it was called when the link was made, for people: its port may be another one after
 *                       a reconnection.
 */
public record PublicationLinkId(long linkId, int index, PeerOrigin origin, long subscriptionId, String peerName) {
}
