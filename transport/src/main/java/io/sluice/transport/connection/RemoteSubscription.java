package io.sluice.transport.connection;

/**
 * A subscription that a peer has announced.
 *
 * @param subscriptionId unique at the peer.
 * @param streamId       within its channel.
 * @param rendezvous     media and endpoint of its channel.
 */
record RemoteSubscription(long subscriptionId, int streamId, String rendezvous) {
}
