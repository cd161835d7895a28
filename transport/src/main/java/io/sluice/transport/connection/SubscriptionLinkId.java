package io.sluice.transport.connection;

/**
 * What a subscription's link is and stays over all its epochs.
 *
 * @param peerId       of the publisher's transport.
 * @param linkId       unique there.
 * @param incarnation  of the session.
 * @param windowLength bytes of the ring.
 * @param index        of the link in its receiver's table.
 * @param logOffered   whether the publisher's log may be mapped.
 * @param logShared    whether the ring is the publication's log, mapped.
 */
record SubscriptionLinkId(
    TransportId peerId,
    long linkId,
    TransportId incarnation,
    int windowLength,
    int index,
    boolean logOffered,
    boolean logShared) {

    static SubscriptionLinkId of(
        final SubscriptionState subscription, final ControlSession session, final SetupRequest request) {
        return new SubscriptionLinkId(
            session.peerId(), request.linkId(), request.incarnation(), request.windowLength(),
            subscription.allocateIndex(), request.logToken().length > 0,
            SubscriptionEpochs.isShared(subscription, request));
    }

    /** Whether a request is for a later epoch of the same link. */
    boolean isResumedBy(final SetupRequest request) {
        return request.incarnation().equals(incarnation) && request.windowLength() == windowLength
            && request.logToken().length > 0 == logOffered;
    }
}
