package io.sluice.transport.peer;

import io.sluice.codec.control.AcceptDecoder;
import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.CloseLinkDecoder;
import io.sluice.codec.control.EndOfStreamDecoder;
import io.sluice.codec.control.EndOfStreamReceivedDecoder;
import io.sluice.codec.control.EstablishedDecoder;
import io.sluice.codec.control.EvictDecoder;
import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.control.RefuseDecoder;
import io.sluice.codec.control.SetupDecoder;

/**
 * Takes the messages of ready peers that are about links, each with the session that it came over. The structure of a
 * message was checked, and its values were not. Conductor only.
 */
public interface LinkMessages {
    /**
     * Notes that a subscription of the peer has begun.
     *
     * @param peer         that has sent it.
     * @param subscription that the peer has announced.
     */
    void onSubscribe(ConnectedPeer peer, PeerSubscription subscription);

    /**
     * Notes that a subscription of the peer has ended.
     *
     * @param peer           that has sent it.
     * @param subscriptionId that the peer has announced.
     */
    void onUnsubscribe(ConnectedPeer peer, long subscriptionId);

    /**
     * Notes that a publication of the peer asks a subscription for a link.
     *
     * @param peer  that has sent it.
     * @param setup the message; valid until the call returns.
     */
    void onSetup(ConnectedPeer peer, SetupDecoder setup);

    /**
     * Notes that a subscription of the peer has taken a link.
     *
     * @param peer   that has sent it.
     * @param accept the message; valid until the call returns.
     */
    void onAccept(ConnectedPeer peer, AcceptDecoder accept);

    /**
     * Notes that a subscription of the peer has refused a link.
     *
     * @param peer   that has sent it.
     * @param refuse the message; valid until the call returns.
     */
    void onRefuse(ConnectedPeer peer, RefuseDecoder refuse);

    /**
     * Learns from a publication of the peer where a link begins.
     *
     * @param peer        that has sent it.
     * @param established the message; valid until the call returns.
     */
    void onEstablished(ConnectedPeer peer, EstablishedDecoder established);

    /**
     * Learns from a heartbeat how far publications of the peer have come.
     *
     * @param peer      that has sent it.
     * @param heartbeat the message; valid until the call returns.
     */
    void onHeartbeat(ConnectedPeer peer, HeartbeatDecoder heartbeat);

    /**
     * Notes that a publication of the peer has ended, at a position.
     *
     * @param peer        that has sent it.
     * @param endOfStream the message; valid until the call returns.
     */
    void onEndOfStream(ConnectedPeer peer, EndOfStreamDecoder endOfStream);

    /**
     * Notes that a subscription of the peer has all up to the end.
     *
     * @param peer                that has sent it.
     * @param endOfStreamReceived the message; valid until the call returns.
     */
    void onEndOfStreamReceived(ConnectedPeer peer, EndOfStreamReceivedDecoder endOfStreamReceived);

    /**
     * Notes that a link is broken at the peer.
     *
     * @param peer       that has sent it.
     * @param linkBroken the message; valid until the call returns.
     */
    void onLinkBroken(ConnectedPeer peer, LinkBrokenDecoder linkBroken);

    /**
     * Notes that a subscription of the peer has evicted a consumer.
     *
     * @param peer  that has sent it.
     * @param evict the message; valid until the call returns.
     */
    void onEvict(ConnectedPeer peer, EvictDecoder evict);

    /**
     * Notes that a link is over at the peer for good.
     *
     * @param peer      that has sent it.
     * @param closeLink the message; valid until the call returns.
     */
    void onCloseLink(ConnectedPeer peer, CloseLinkDecoder closeLink);

    /**
     * Notes that a subscription of the peer holds a publication back, or does not any more.
     *
     * @param peer         that has sent it.
     * @param backPressure the message; valid until the call returns.
     */
    void onBackPressure(ConnectedPeer peer, BackPressureDecoder backPressure);
}
