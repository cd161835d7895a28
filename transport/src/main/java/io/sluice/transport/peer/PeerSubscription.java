package io.sluice.transport.peer;

/**
 * A subscription that a peer has announced.
 *
 * @param subscriptionId unique at the peer.
 * @param streamId       within its channel.
 * @param rendezvous     media and endpoint of its channel.
 * @param groupTag       of its channel, or {@link io.sluice.codec.ControlDescriptor#NO_GROUP_TAG}.
 */
public record PeerSubscription(long subscriptionId, int streamId, String rendezvous, long groupTag) {
}
