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
    /** A subscription of the peer has begun. */
    void onSubscribe(PeerChannel peer, RemoteSubscription subscription);

    /** A subscription of the peer has ended. */
    void onUnsubscribe(PeerChannel peer, long subscriptionId);

    /** A publication of the peer asks a subscription for a link. */
    void onSetup(PeerChannel peer, SetupDecoder setup);

    /** A subscription of the peer has taken a link. */
    void onAccept(PeerChannel peer, AcceptDecoder accept);

    /** A subscription of the peer has refused a link. */
    void onRefuse(PeerChannel peer, RefuseDecoder refuse);

    /** A publication of the peer says where a link begins. */
    void onEstablished(PeerChannel peer, EstablishedDecoder established);

    /** A heartbeat says how far publications of the peer have come. */
    void onHeartbeat(PeerChannel peer, HeartbeatDecoder heartbeat);

    /** A publication of the peer has ended, at a position. */
    void onEndOfStream(PeerChannel peer, EndOfStreamDecoder endOfStream);

    /** A subscription of the peer has all up to the end. */
    void onEndOfStreamReceived(PeerChannel peer, EndOfStreamReceivedDecoder endOfStreamReceived);

    /** A link is broken at the peer. */
    void onLinkBroken(PeerChannel peer, LinkBrokenDecoder linkBroken);

    /** A subscription of the peer has evicted a consumer. */
    void onEvict(PeerChannel peer, EvictDecoder evict);

    /** A link is over at the peer for good. */
    void onCloseLink(PeerChannel peer, CloseLinkDecoder closeLink);

    /** A subscription of the peer holds a publication back, or does not any more. */
    void onBackPressure(PeerChannel peer, BackPressureDecoder backPressure);
}
