package io.sluice.transport.stream;

import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.settings.TransportId;

/**
 * The identity of a subscription's link: what it is and stays over all its epochs.
 *
 * @param origin       of the publisher's transport.
 * @param linkId       unique there.
 * @param incarnation  of the session.
 * @param basePosition at or after which the link joins.
 * @param windowLength bytes of the ring.
 * @param index        of the link in its receiver's table.
 * @param logOffered   whether the publisher's log may be mapped.
 * @param logShared    whether the ring is the publication's log, mapped.
 */
public record SubscriptionLinkId(
    PeerOrigin origin,
    long linkId,
    TransportId incarnation,
    long basePosition,
    int windowLength,
    int index,
    boolean logOffered,
    boolean logShared) {
    /** {@return the transport at the other end} */
    public TransportId peerId() {
        return origin.peerId();
    }

    /** Whether the link can join at a position, by what the publisher has said before. */
    boolean canJoinAt(final long position) {
        return position >= basePosition;
    }

    /**
     * Whether what was found wrong in an epoch ends the link even when the epoch has ended meanwhile. Of a shared log
     * the publication may have reused the frames by then.
     */
    boolean isFatalLater(final BreakReason reason) {
        return reason.isFatal() && !(reason == BreakReason.BAD_FRAME && logShared);
    }

    /** Whether a request is for a later epoch of the same link. */
    boolean isResumedBy(final SetupRequest request) {
        return request.publication().incarnation().equals(incarnation) && request.log().windowLength() == windowLength
            && request.log().isShared() == logOffered;
    }
}
