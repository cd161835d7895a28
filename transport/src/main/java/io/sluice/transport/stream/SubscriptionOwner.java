package io.sluice.transport.stream;

import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.PeerOrigin;

/** The owner of subscriptions, as one of them sees it. Conductor only, but for what says otherwise. */
interface SubscriptionOwner {
    /** {@return the services of the transport} Any thread. */
    Services services();

    /** {@return an id that no other subscription of the transport has} Any thread. */
    long nextId();

    /** {@return the encoder of messages about links} */
    LinkEncoder encoder();

    /** Refuse a link that a peer has asked for. */
    void refuse(ConnectedPeer peer, SetupRequest request, RefuseReason reason, String text);

    /** Notes that a peer has a link more. */
    void onLinkAdded(PeerOrigin peer);

    /** Notes that a link of a peer is gone for good. */
    void onLinkGone(PeerOrigin peer);
}
