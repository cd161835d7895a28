package io.sluice.transport.stream;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.transport.agent.Services;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.BitUtil;

/**
 * The requests of peers for links to a transport's subscriptions: checked, since their values are a peer's, and taken
 * up, deferred, or refused with a reason. Conductor only; owned by {@link Subscriptions}, whose lists it reads.
 * <pre>
 *   onSetup ──values are sound──→ a link that resumes, which its ring's quotas allow ──→ its next epoch
 *      │                    └──→ a fresh one ──an earlier image has not ended──→ deferred ──→ as if it came now
 *      │                                └──no rival, and quotas allow it──→ a link begins
 *      └──else──→ refused
 * </pre>
 */
final class LinkRequests {
    private static final int WINDOW_MIN = 4096;
    private static final int WINDOW_MAX = 1 << 30;

    private final Services services;
    private final LinkEncoder encoder;
    private final LinkCounts counts;
    private final List<SubscriptionState> subscriptions;
    private final List<SubscriptionState> abandoned;
    private final DeferredSetups deferred;

    /**
     * Creates requests of which none has come.
     *
     * @param services      of the transport.
     * @param encoder       of the answers.
     * @param counts        links that there are.
     * @param subscriptions that can be asked for, a list that changes.
     * @param abandoned     subscriptions whose rings count still, a list that changes.
     */
    LinkRequests(
        final Services services,
        final LinkEncoder encoder,
        final LinkCounts counts,
        final List<SubscriptionState> subscriptions,
        final List<SubscriptionState> abandoned) {
        this.services = services;
        this.encoder = encoder;
        this.counts = counts;
        this.subscriptions = subscriptions;
        this.abandoned = abandoned;
        deferred = new DeferredSetups(services);
    }

    /**
     * Takes up requests that need not wait any more, each duty cycle, after the subscriptions.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    int doWork(final long nowNs) {
        return deferred.doWork(nowNs, this::setUp);
    }

    /**
     * Notes that a peer wants a link to one of the subscriptions, and begins, defers or refuses it.
     *
     * @param peer    that has asked.
     * @param decoder on its message.
     */
    void onSetup(final ConnectedPeer peer, final SetupDecoder decoder) {
        final long subscriptionId = decoder.subscriptionId();
        final SetupRequest request = SetupRequest.of(decoder);
        if (!peer.checkQueuePair(request.queuePairAddress())) {
            return;
        }
        SubscriptionState subscription = null;
        for (final SubscriptionState candidate : subscriptions) {
            if (candidate.subscriptionId() == subscriptionId && candidate.isOpen()
                && candidate.medium() == peer.medium()) {
                subscription = candidate;
            }
        }
        if (subscription == null) {
            refuse(peer, request, RefuseReason.NO_SUBSCRIPTION, "subscriptionId=" + subscriptionId);
        } else if (request.publication().streamId() != subscription.streamId()) {
            refuse(peer, request, RefuseReason.PROTOCOL, "streamId=" + request.publication().streamId());
        } else if (!BitUtil.isPowerOfTwo(request.log().windowLength()) || request.log().windowLength() < WINDOW_MIN
            || request.log().windowLength() > WINDOW_MAX) {
            refuse(peer, request, RefuseReason.WINDOW_MISMATCH, "windowLength=" + request.log().windowLength()
                + " minimum=" + WINDOW_MIN + " maximum=" + WINDOW_MAX);
        } else if (request.log().windowLength() > services.quotas().grantedWindowLength()) {
            refuseByQuota(peer, subscription, request, RefuseReason.WINDOW_MISMATCH,
                "quota reached: grantedWindowLength=" + services.quotas().grantedWindowLength());
        } else if ((request.log().position() & (FrameDescriptor.FRAME_ALIGNMENT - 1)) != 0) {
            refuse(peer, request, RefuseReason.PROTOCOL, "publicationPosition=" + request.log().position());
        } else {
            setUp(peer, subscription, request);
        }
    }

    /**
     * Forgets a request for a link that the publisher has ended before it has begun here, if there is one.
     *
     * @param peer   that has told it.
     * @param linkId that the peer has told.
     */
    void onClosedBeforeBegin(final ConnectedPeer peer, final long linkId) {
        deferred.remove(peer, linkId);
    }

    private void setUp(
        final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        final SubscriptionLink known = subscription.links().find(peer.origin(), request.linkId());
        if (request.resume()) {
            if (known == null || !known.isResumable(request)) {
                refuse(peer, request, RefuseReason.UNKNOWN_SESSION, "no image: linkId=" + request.linkId());
            } else if (known.epochs().replaced().isFull()
                || !known.id().logShared() && subscription.links().replacedRingBytes() + known.id().windowLength()
                    > services.quotas().ringLengthPerSubscription()) {
                // the publisher tries again: by then the consumers may have passed what lies in earlier rings
                refuse(peer, request, RefuseReason.RESOURCES, "rings of earlier epochs are still read: linkId="
                    + request.linkId() + " ringBytes=" + subscription.links().replacedRingBytes());
            } else if (known.epochs().replaced().bytes() > 0 && problemOfRings(peer.origin(), known) != null) {
                // likewise: one link after the other could take more and more
                refuseByQuota(peer, subscription, request, RefuseReason.RESOURCES,
                    problemOfRings(peer.origin(), known));
            } else {
                known.resume(peer, request);
            }
        } else if (known != null) {
            refuse(peer, request, RefuseReason.PROTOCOL, "the link exists: linkId=" + request.linkId());
        } else if (problemOf(peer, subscription, request) != null) {
            refuseByQuota(
                peer, subscription, request, RefuseReason.RESOURCES, problemOf(peer, subscription, request));
        } else if (deferred.mustWait(peer, subscription, request)) {
            deferred.add(peer, subscription, request);
        } else if (DeferredSetups.rival(peer, subscription, request) != null) {
            refuseSession(peer, DeferredSetups.rival(peer, subscription, request), subscription, request);
        } else if (problemOf(subscription, request) != null) {
            refuseByQuota(peer, subscription, request, RefuseReason.RESOURCES, problemOf(subscription, request));
        } else {
            subscription.links().begin(peer, request);
        }
    }

    /** The quota that keeps a peer from a link, those that wait for their turn counted; null when none does. */
    private String problemOf(
        final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        final PeerOrigin origin = peer.origin();
        final String problem = services.quotas().problemOfLinks(
            counts.ofPeer(origin) + deferred.count(origin::isSamePeer),
            counts.ofHost(origin) + deferred.count(other -> other.place().equals(origin.place())));
        return problem != null || subscription.links().isShared(request)
            ? problem : problemOfRings(origin, request.log().windowLength());
    }

    /**
     * The bound that keeps a subscription from a link, whoever the peer is; null when none does. Rings of earlier
     * epochs have room of their own: whoever makes links resume while consumers stand still keeps nobody from a first
     * ring.
     */
    private String problemOf(final SubscriptionState subscription, final SetupRequest request) {
        if (subscription.links().all().size() >= SubscriptionLinks.MAX_LINKS) {
            return "the subscription has all the links it may have: links=" + SubscriptionLinks.MAX_LINKS;
        }
        return subscription.links().isShared(request) ? null : services.quotas().problemOfSubscription(
            subscription.links().currentRingBytes() + request.log().windowLength());
    }

    /**
     * The quota that a peer exceeds with one more ring of a link that resumes; null when none. For the first one it is
     * not asked: until its consumers have passed the ring before, a link has one more, and one that stands still would
     * keep others from theirs.
     */
    private String problemOfRings(final PeerOrigin peer, final SubscriptionLink link) {
        return link.id().logShared() ? null : problemOfRings(peer, link.id().windowLength());
    }

    /** The quota that a peer exceeds with more bytes of rings; null when none. */
    private String problemOfRings(final PeerOrigin peer, final long more) {
        return services.quotas().problemOfRings(
            ringBytes(peer::isSamePeer) + more, ringBytes(other -> other.place().equals(peer.place())) + more);
    }

    private long ringBytes(final Predicate<PeerOrigin> peers) {
        long bytes = 0;
        for (final SubscriptionState subscription : subscriptions) {
            bytes += subscription.links().ringBytes(peers);
        }
        for (final SubscriptionState subscription : abandoned) {
            bytes += subscription.links().ringBytes(peers);
        }
        return bytes;
    }

    private void refuseByQuota(
        final ConnectedPeer peer,
        final SubscriptionState subscription,
        final SetupRequest request,
        final RefuseReason reason,
        final String quota) {
        refuse(peer, request, reason, quota);
        peer.tellQuota("link refused: reason=" + reason
            + " peer=" + peer.distinctPeer() + " channel=" + subscription.channel(), quota);
    }

    /**
     * Refuses a session for a rival link. The publisher asks again: a publication that has crashed is known to have
     * ended only after a while.
     */
    private void refuseSession(
        final ConnectedPeer peer,
        final SubscriptionLink rival,
        final SubscriptionState subscription,
        final SetupRequest request) {
        final String text = "sessionId=" + request.publication().sessionId() + " is that of a publication of "
            + rival.image().sourceIdentity() + " which has not ended";
        refuse(peer, request, RefuseReason.SESSION_IN_USE, text);
        subscription.medium().services().failures().reportOfPeer(ErrorKind.LINK_REFUSED, SubscriptionLinkErrors.subject(
            subscription.options(), peer.peerId(), request.publication().sessionId()),
            RefuseReason.SESSION_IN_USE.name(), "link refused: reason=" + RefuseReason.SESSION_IN_USE + " peer="
                + peer.distinctPeer() + " streamId=" + request.publication().streamId()
                + " channel=" + subscription.channel()
                + ", " + text + ": give one of them another session-id, or, where it was drawn, add it anew");
    }

    /**
     * Refuses a link that a peer has asked for, and counts that; a peer without a control session is not told.
     *
     * @param peer    that has asked; null when its control session is lost.
     * @param request of that peer.
     * @param reason  on the wire.
     * @param text    for people.
     */
    void refuse(
        final ConnectedPeer peer, final SetupRequest request, final RefuseReason reason, final String text) {
        services.counters().increment(TransportCounter.LINKS_REFUSED);
        if (peer != null && peer.isReady()) {
            peer.send(encoder.buffer(), encoder.refuse(request.linkId(), request.epoch(), reason, text));
        }
    }
}
