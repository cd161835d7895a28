package io.sluice.transport.stream;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.BitUtil;

/**
 * The subscriptions of a transport and their links, found by what peers name them. Conductor only.
 */
public final class Subscriptions implements SubscriptionOwner {
    private static final int WINDOW_MIN = 4096;
    private static final int WINDOW_MAX = 1 << 30;

    private final Services services;
    private final Supplier<Collection<ConnectedPeer>> peers;
    private final LinkEncoder encoder = new LinkEncoder();
    private final AtomicLong lastId = new AtomicLong();
    private final Failures failures;
    private final List<SubscriptionState> subscriptions = new ArrayList<>();
    private final LinkCounts counts = new LinkCounts();
    private final DeferredSetups deferred;
    private final List<SubscriptionState> abandoned = new ArrayList<>();
    /** Rings of subscriptions that are gone. */
    private final List<AbandonedRings> abandonedRings = new ArrayList<>();

    /**
     * None yet.
     *
     * @param services of the transport.
     * @param peers    that links can be made over, a copy.
     */
    public Subscriptions(final Services services, final Supplier<Collection<ConnectedPeer>> peers) {
        this.services = services;
        this.peers = peers;
        failures = services.failures();
        deferred = new DeferredSetups(services);
    }

    @Override
    public Services services() {
        return services;
    }

    @Override
    public long nextId() {
        return lastId.incrementAndGet();
    }

    @Override
    public LinkEncoder encoder() {
        return encoder;
    }

    /**
     * Begin to serve a subscription.
     *
     * @param subscription made by the caller.
     */
    public void add(final SubscriptionState subscription) {
        subscriptions.add(subscription);
        subscription.keptBy(new Kept(subscription));
        for (final ConnectedPeer peer : peers.get()) {
            announce(peer, subscription);
        }
    }

    private void remove(final SubscriptionState subscription) {
        if (subscriptions.remove(subscription)) {
            subscription.medium().leave(subscription.party());
            abandonedRings.add(subscription.consumers().rings());
        }
    }

    /**
     * Whether a publication has been met under a name.
     *
     * @param rendezvous where publications and subscriptions meet.
     * @return whether there is one.
     */
    public boolean hasLink(final String rendezvous) {
        for (final SubscriptionState subscription : subscriptions) {
            if (subscription.linkCount() > 0 && subscription.options().party().rendezvous().equals(rendezvous)) {
                return true;
            }
        }
        return false;
    }

    /** {@return all subscriptions, a list that changes; not to be changed by the caller} */
    public List<SubscriptionState> all() {
        return subscriptions;
    }

    /**
     * Serve all subscriptions and their links.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    public int doWork(final long nowNs) {
        int work = 0;
        for (int i = subscriptions.size() - 1; i >= 0; i--) {
            work += subscriptions.get(i).doWork(nowNs);
        }
        abandoned.removeIf(SubscriptionState::hasComeBack);
        abandonedRings.removeIf(AbandonedRings::look);
        work += deferred.doWork(nowNs, this::setUp);
        return work;
    }

    /**
     * Tell a peer of all subscriptions.
     *
     * @param peer to tell.
     */
    public void announceAll(final ConnectedPeer peer) {
        for (final SubscriptionState subscription : subscriptions) {
            if (subscription.isOpen()) {
                announce(peer, subscription);
            }
        }
    }

    private void announce(final ConnectedPeer peer, final SubscriptionState subscription) {
        if (isAnnounced(peer, subscription)) {
            peer.send(encoder.buffer(), encoder.subscribe(
                subscription.subscriptionId(), subscription.streamId(), subscription.options().groupTag(),
                subscription.channel()));
        }
    }

    private static boolean isAnnounced(final ConnectedPeer peer, final SubscriptionState subscription) {
        return peer.isReady() && peer.medium() == subscription.medium()
            && peer.announces(subscription.party());
    }

    private void announceEnd(final SubscriptionState subscription) {
        for (final ConnectedPeer peer : peers.get()) {
            if (isAnnounced(peer, subscription)) {
                peer.send(encoder.buffer(), encoder.unsubscribe(subscription.subscriptionId()));
            }
        }
    }

    /**
     * A peer wants a link to one of the subscriptions.
     *
     * @param peer    that has asked.
     * @param decoder on its message.
     */
    public void onSetup(final ConnectedPeer peer, final SetupDecoder decoder) {
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
     * The publisher has ended a link that may not have begun here.
     *
     * @param peer   that has told it.
     * @param linkId that the peer has told.
     */
    public void onClosedBeforeBegin(final ConnectedPeer peer, final long linkId) {
        deferred.remove(peer, linkId);
    }

    private void setUp(
        final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        SubscriptionLink known = null;
        for (final SubscriptionLink link : subscription.links()) {
            if (link.id().linkId() == request.linkId() && link.id().origin().equals(peer.origin())) {
                known = link;
            }
        }
        if (request.resume()) {
            if (known == null || !known.isResumable(request)) {
                refuse(peer, request, RefuseReason.UNKNOWN_SESSION, "no image: linkId=" + request.linkId());
            } else if (known.replacedRings().isFull()
                || !known.id().logShared() && subscription.replacedRingBytes() + known.id().windowLength()
                    > services.quotas().ringLengthPerSubscription()) {
                // the publisher tries again: by then the consumers may have passed what lies in earlier rings
                refuse(peer, request, RefuseReason.RESOURCES, "rings of earlier epochs are still read: linkId="
                    + request.linkId() + " ringBytes=" + subscription.replacedRingBytes());
            } else if (known.replacedRings().bytes() > 0 && problemOfRings(peer.origin(), known) != null) {
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
            final SubscriptionLink link = new SubscriptionLink(subscription, peer, request);
            subscription.add(link);
            link.begin(request);
        }
    }

    /** Which quota keeps a peer from a link, those that wait for their turn counted; null when none does. */
    private String problemOf(
        final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        final PeerOrigin origin = peer.origin();
        final String problem = services.quotas().problemOfLinks(
            counts.ofPeer(origin) + deferred.count(origin::isSamePeer),
            counts.ofHost(origin) + deferred.count(other -> other.place().equals(origin.place())));
        return problem != null || SubscriptionEpochs.isShared(subscription, request)
            ? problem : problemOfRings(origin, request.log().windowLength());
    }

    /**
     * Which bound keeps a subscription from a link, whoever the peer is; null when none does. Rings of earlier epochs
     * have room of their own: whoever makes links resume while consumers stand still keeps nobody from a first ring.
     */
    private String problemOf(final SubscriptionState subscription, final SetupRequest request) {
        if (subscription.links().size() >= SubscriptionState.MAX_LINKS) {
            return "the subscription has all the links it may have: links=" + SubscriptionState.MAX_LINKS;
        }
        return SubscriptionEpochs.isShared(subscription, request) ? null
            : services.quotas().problemOfSubscription(subscription.currentRingBytes() + request.log().windowLength());
    }

    /**
     * Which quota a peer exceeds with one more ring of a link that resumes; null when none. For the first one it is not
     * asked: until its consumers have passed the ring before, a link has one more, and one that stands still would keep
     * others from theirs.
     */
    private String problemOfRings(final PeerOrigin peer, final SubscriptionLink link) {
        return link.id().logShared() ? null : problemOfRings(peer, link.id().windowLength());
    }

    /** Which quota a peer exceeds with more bytes of rings; null when none. */
    private String problemOfRings(final PeerOrigin peer, final long more) {
        return services.quotas().problemOfRings(
            ringBytes(peer::isSamePeer) + more, ringBytes(other -> other.place().equals(peer.place())) + more);
    }

    private long ringBytes(final Predicate<PeerOrigin> peers) {
        long bytes = 0;
        for (final SubscriptionState subscription : subscriptions) {
            bytes += subscription.ringBytes(peers);
        }
        for (final SubscriptionState subscription : abandoned) {
            bytes += subscription.ringBytes(peers);
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

    @Override
    public void onLinkAdded(final PeerOrigin peer) {
        counts.add(peer);
    }

    @Override
    public void onLinkGone(final PeerOrigin peer) {
        counts.remove(peer);
    }

    /** The publisher asks again: a publication that has crashed is known to have ended only after a while. */
    private void refuseSession(
        final ConnectedPeer peer,
        final SubscriptionLink rival,
        final SubscriptionState subscription,
        final SetupRequest request) {
        final String text = "sessionId=" + request.publication().sessionId() + " is that of a publication of "
            + rival.image().sourceIdentity() + " which has not ended";
        refuse(peer, request, RefuseReason.SESSION_IN_USE, text);
        subscription.services().failures().reportOfPeer(ErrorKind.LINK_REFUSED, SubscriptionLinkErrors.subject(
            subscription.options(), peer.peerId(), request.publication().sessionId()),
            RefuseReason.SESSION_IN_USE.name(), "link refused: reason=" + RefuseReason.SESSION_IN_USE + " peer="
                + peer.distinctPeer() + " streamId=" + request.publication().streamId()
                + " channel=" + subscription.channel()
                + ", " + text + ": give one of them another session-id, or, where it was drawn, add it anew");
    }

    @Override
    public void refuse(
        final ConnectedPeer peer, final SetupRequest request, final RefuseReason reason, final String text) {
        services.counters().increment(TransportCounter.LINKS_REFUSED);
        if (peer != null && peer.isReady()) {
            peer.send(encoder.buffer(), encoder.refuse(request.linkId(), request.epoch(), reason, text));
        }
    }

    /**
     * Ways to a medium's device may be others now: publications of broken links hear of it.
     *
     * @param medium whose ways have changed.
     */
    public void onWaysChanged(final Medium medium) {
        for (final SubscriptionState subscription : subscriptions) {
            if (subscription.medium() == medium) {
                subscription.links().forEach(SubscriptionLink::onWayChanged);
            }
        }
    }

    /**
     * A completion queue of a control connection has overrun: it holds up whom it serves.
     *
     * @param peer at the other end of that connection.
     */
    public void onOverrun(final ConnectedPeer peer) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : subscription.links()) {
                if (link.peer() == peer) {
                    subscription.pressure().onOverrun();
                }
            }
        }
    }

    /**
     * The links to a peer have broken for a reason that is known.
     *
     * @param peer   that they lead to.
     * @param reason why.
     */
    public void onBroken(final ConnectedPeer peer, final BreakReason reason) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : new ArrayList<>(subscription.links())) {
                if (link.peer() == peer) {
                    link.onBrokenByPeer(reason);
                }
            }
        }
    }

    /**
     * A control session has ended: its links break, or end when the peer is gone for good, as do those that broke when
     * it ended and that is known only now.
     *
     * @param peer     whose session it was.
     * @param peerGone whether the peer's process has certainly ended.
     */
    public void onPeerLost(final ConnectedPeer peer, final boolean peerGone) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : new ArrayList<>(subscription.links())) {
                if (link.peer() == peer) {
                    link.onPeerLost(peerGone);
                } else if (peerGone && link.peer() == null && link.id().origin().equals(peer.origin())) {
                    link.onPeerLost(true);
                }
            }
        }
    }

    /**
     * Find the link that a message of a peer is about.
     *
     * @param peer   that has sent it.
     * @param linkId in the message.
     * @return the link, or null when that peer has no such one.
     */
    public SubscriptionLink find(final ConnectedPeer peer, final long linkId) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : subscription.links()) {
                if (link.id().linkId() == linkId && link.peer() == peer) {
                    return link;
                }
            }
        }
        return null;
    }

    /**
     * Find a link in the epoch that a message of a peer is about.
     *
     * @param peer   that has sent it.
     * @param linkId in the message.
     * @param epoch  in the message.
     * @return the link, or null when that peer has no such one, or it is in another epoch.
     */
    public SubscriptionLink find(final ConnectedPeer peer, final long linkId, final long epoch) {
        final SubscriptionLink link = find(peer, linkId);
        return link != null && link.epoch() == epoch ? link : null;
    }

    /** A subscription on its way to its end. */
    private final class Kept implements SubscriptionState.Keeper {
        private final SubscriptionState subscription;

        Kept(final SubscriptionState subscription) {
            this.subscription = subscription;
        }

        @Override
        public void onClosing() {
            announceEnd(subscription);
        }

        @Override
        public void onGone() {
            remove(subscription);
        }

        @Override
        public void onAbandoned() {
            remove(subscription);
            abandoned.add(subscription);
        }
    }
}
