package io.sluice.transport.stream;

import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.SetupDecoder;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.PeerOrigin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The subscriptions of a transport and their links, found by what peers name them. Conductor only.
 */
public final class Subscriptions implements SubscriptionOwner {
    private final Services services;
    private final Supplier<Collection<ConnectedPeer>> peers;
    private final LinkEncoder encoder = new LinkEncoder();
    private final AtomicLong lastId = new AtomicLong();
    private final List<SubscriptionState> subscriptions = new ArrayList<>();
    private final LinkCounts counts = new LinkCounts();
    private final LinkRequests requests;
    private final List<SubscriptionState> abandoned = new ArrayList<>();
    /** Rings of subscriptions that are gone. */
    private final List<AbandonedRings> abandonedRings = new ArrayList<>();

    /**
     * Makes a list of subscriptions, of which there are none yet.
     *
     * @param services of the transport.
     * @param peers    that links can be made over, a copy.
     */
    public Subscriptions(final Services services, final Supplier<Collection<ConnectedPeer>> peers) {
        this.services = services;
        this.peers = peers;
        requests = new LinkRequests(services, encoder, counts, subscriptions, abandoned);
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
            subscription.medium().leave(subscription.options().party());
            abandonedRings.add(subscription.links().abandonedRings());
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
            if (subscription.links().count() > 0 && subscription.options().party().rendezvous().equals(rendezvous)) {
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
        work += requests.doWork(nowNs);
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
            && peer.announces(subscription.options().party());
    }

    private void announceEnd(final SubscriptionState subscription) {
        for (final ConnectedPeer peer : peers.get()) {
            if (isAnnounced(peer, subscription)) {
                peer.send(encoder.buffer(), encoder.unsubscribe(subscription.subscriptionId()));
            }
        }
    }

    /**
     * Notes that a peer wants a link to one of the subscriptions.
     *
     * @param peer    that has asked.
     * @param decoder on its message.
     */
    public void onSetup(final ConnectedPeer peer, final SetupDecoder decoder) {
        requests.onSetup(peer, decoder);
    }

    /**
     * Notes that the publisher has ended a link that may not have begun here.
     *
     * @param peer   that has told it.
     * @param linkId that the peer has told.
     */
    public void onClosedBeforeBegin(final ConnectedPeer peer, final long linkId) {
        requests.onClosedBeforeBegin(peer, linkId);
    }

    @Override
    public void onLinkAdded(final PeerOrigin peer) {
        counts.add(peer);
    }

    @Override
    public void onLinkGone(final PeerOrigin peer) {
        counts.remove(peer);
    }

    @Override
    public void refuse(
        final ConnectedPeer peer, final SetupRequest request, final RefuseReason reason, final String text) {
        requests.refuse(peer, request, reason, text);
    }

    /**
     * Notes that ways to a medium's device may be others now: publications of broken links hear of it.
     *
     * @param medium whose ways have changed.
     */
    public void onWaysChanged(final Medium medium) {
        for (final SubscriptionState subscription : subscriptions) {
            if (subscription.medium() == medium) {
                subscription.links().all().forEach(link -> link.resumption().onWayChanged());
            }
        }
    }

    /**
     * Notes that a completion queue of a control connection has overrun: it holds up whom it serves.
     *
     * @param peer at the other end of that connection.
     */
    public void onOverrun(final ConnectedPeer peer) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : subscription.links().all()) {
                if (link.notices().peer() == peer) {
                    subscription.pressure().onOverrun();
                }
            }
        }
    }

    /**
     * Notes that the links to a peer have broken for a reason that is known.
     *
     * @param peer   that they lead to.
     * @param reason why.
     */
    public void onBroken(final ConnectedPeer peer, final BreakReason reason) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : new ArrayList<>(subscription.links().all())) {
                if (link.notices().peer() == peer) {
                    link.onBrokenByPeer(reason);
                }
            }
        }
    }

    /**
     * Notes that a control session has ended: its links break, or end when the peer is gone for good, as do those that
     * broke when it ended and that is known only now.
     *
     * @param peer     whose session it was.
     * @param peerGone whether the peer's process has certainly ended.
     */
    public void onPeerLost(final ConnectedPeer peer, final boolean peerGone) {
        for (final SubscriptionState subscription : subscriptions) {
            for (final SubscriptionLink link : new ArrayList<>(subscription.links().all())) {
                if (link.notices().peer() == peer) {
                    link.onPeerLost(peerGone);
                } else if (peerGone && link.notices().peer() == null && link.id().origin().equals(peer.origin())) {
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
            for (final SubscriptionLink link : subscription.links().all()) {
                if (link.id().linkId() == linkId && link.notices().peer() == peer) {
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
