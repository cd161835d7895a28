package io.sluice.transport.stream;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.control.HeartbeatEncoder;
import io.sluice.codec.control.MessageHeaderEncoder;
import io.sluice.codec.control.Role;
import io.sluice.transport.agent.Services;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.peer.PeerSubscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * The publications of a transport and their links, found by what peers name them. Conductor only.
 */
public final class Publications implements PublicationOwner {
    private final Services services;
    private final Supplier<Collection<ConnectedPeer>> peers;
    private final LinkEncoder encoder = new LinkEncoder();
    private final List<PublicationState> publications = new ArrayList<>();
    private final LinkCounts counts = new LinkCounts();
    private long nextLinkId = 1;
    private boolean isFlushWaiting;

    /**
     * Makes a list of publications, of which there are none yet.
     *
     * @param services of the transport.
     * @param peers    that links can be made over, a copy.
     */
    public Publications(final Services services, final Supplier<Collection<ConnectedPeer>> peers) {
        this.services = services;
        this.peers = peers;
    }

    @Override
    public Services services() {
        return services;
    }

    /**
     * Begin to serve a publication.
     *
     * @param publication made by the caller.
     */
    public void add(final PublicationState publication) {
        publications.add(publication);
        publication.whenGone(() -> remove(publication));
        reconcile();
    }

    private void remove(final PublicationState publication) {
        if (publications.remove(publication)) {
            publication.medium().leave(publication.options().party());
        }
    }

    /** {@return all publications, a list that changes; not to be changed by the caller} */
    public List<PublicationState> all() {
        return publications;
    }

    /**
     * Post waiting tails and do nothing else; true while one still waits.
     *
     * @return whether one still waits.
     */
    public boolean flush() {
        boolean waiting = false;
        for (int i = publications.size() - 1; i >= 0; i--) {
            waiting |= publications.get(i).poster().flush();
        }
        return waiting;
    }

    @Override
    public void flushSoon(final boolean isWaiting) {
        isFlushWaiting |= isWaiting;
    }

    /** {@return whether a tail has waited since the last time} */
    public boolean takeFlushWaiting() {
        final boolean taken = isFlushWaiting;
        isFlushWaiting = false;
        return taken;
    }

    @Override
    public LinkEncoder encoder() {
        return encoder;
    }

    /**
     * Serve all publications and their links.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    public int doWork(final long nowNs) {
        int work = 0;
        for (int i = publications.size() - 1; i >= 0; i--) {
            work += publications.get(i).doWork(nowNs);
        }
        return work;
    }

    /**
     * Notes that a peer has announced a subscription: links are made to it.
     *
     * @param peer         that has sent it.
     * @param subscription that it announced.
     */
    public void onSubscribe(final ConnectedPeer peer, final PeerSubscription subscription) {
        if (peer.listenTo(subscription)) {
            for (final PublicationState publication : new ArrayList<>(publications)) {
                connect(publication, peer, subscription, true);
            }
        }
    }

    /**
     * Make a link that should exist, or tell it that its peer is back.
     *
     * @param mayBeMade or else only those are told that there are.
     * @return false when the peer may have no more.
     */
    private boolean connect(
        final PublicationState publication,
        final ConnectedPeer peer,
        final PeerSubscription subscription,
        final boolean mayBeMade) {
        if (publication.streamId() != subscription.streamId() || publication.medium() != peer.medium()
            || !peer.isMet(publication.options().party().rendezvous(), subscription)) {
            return mayBeMade;
        }
        final PublicationLink known = publication.links().find(peer.origin(), subscription.subscriptionId());
        if (known != null) {
            known.onPeerBack(peer);
            return mayBeMade;
        }
        if (!mayBeMade || !publication.acceptsLinks()
            || publication.links().isRefused(peer.origin(), subscription.subscriptionId())) {
            return mayBeMade;
        }
        final String quota = problemOf(publication, peer.origin());
        if (quota != null) {
            peer.tellQuota("no link is made to "
                + peer.distinctPeer() + " for channel=" + publication.channel(), quota);
            return false;
        }
        if (!publication.links().hasRoom(publication.channel())) {
            return true;
        }
        final long linkId = nextLinkId++;
        final PublicationLink link =
            new PublicationLink(
                publication.context(), peer, subscription, linkId, (int) linkId & WorkRequestId.MAX_INDEX);
        publication.links().add(link);
        counts.add(link.id().origin());
        counts.addLog(link.id().origin(), publication.context().memory().registeredLength());
        link.begin();
        return true;
    }

    /** The quota that keeps a peer from a link; null when none does. */
    private String problemOf(final PublicationState publication, final PeerOrigin peer) {
        final String problem = services.quotas().problemOfLinks(counts.ofPeer(peer), counts.ofHost(peer));
        final long more = publication.context().memory().registeredLength();
        return problem != null || more == 0 ? problem : services.quotas().problemOfLogs(
            counts.logBytesOfPeer(peer) + more, counts.logBytesOfHost(peer) + more);
    }

    @Override
    public void onLinkGone(final PeerOrigin peer, final long logLength) {
        counts.remove(peer);
        counts.removeLog(peer, logLength);
    }

    /** Make the links that should exist and do not: a peer that was given up may have come back to life. */
    public void reconcile() {
        for (final PublicationState publication : new ArrayList<>(publications)) {
            for (final ConnectedPeer peer : peers.get()) {
                boolean mayBeMade = true;
                for (final PeerSubscription subscription : peer.announced()) {
                    mayBeMade = connect(publication, peer, subscription, mayBeMade);
                }
            }
        }
    }

    /**
     * Notes that a peer has closed a subscription.
     *
     * @param peer           that has sent it.
     * @param subscriptionId that it announced.
     */
    public void onUnsubscribe(final ConnectedPeer peer, final long subscriptionId) {
        peer.forget(subscriptionId);
        for (final PublicationState publication : publications) {
            publication.links().onUnsubscribe(peer.origin(), subscriptionId);
            for (final PublicationLink link : new ArrayList<>(publication.links().all())) {
                if (link.id().subscriptionId() == subscriptionId && link.peer() == peer) {
                    link.onUnsubscribed();
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
        for (final PublicationState publication : publications) {
            for (final PublicationLink link : new ArrayList<>(publication.links().all())) {
                if (link.peer() == peer) {
                    link.onBroken(reason, false);
                }
            }
        }
    }

    /**
     * Notes that a control session has ended: its links break, or end when the peer is gone for good.
     *
     * @param peer     whose session it was.
     * @param peerGone whether the peer has said goodbye.
     */
    public void onPeerLost(final ConnectedPeer peer, final boolean peerGone) {
        for (final PublicationState publication : publications) {
            publication.links().onPeerLost(peer.origin());
            for (final PublicationLink link : new ArrayList<>(publication.links().all())) {
                if (link.peer() == peer) {
                    link.onPeerLost(peerGone);
                } else if (peerGone && link.peer() == null && link.id().origin().equals(peer.origin())) {
                    link.remove(PublicationLinkErrors.PEER_GONE);
                }
            }
        }
    }

    /**
     * Notes that ways from a medium's device may be others now: what is broken is tried at once, what works is left
     * alone.
     *
     * @param medium whose ways have changed.
     */
    public void onWaysChanged(final Medium medium) {
        final long nowNs = services.nowNs();
        for (final PublicationState publication : publications) {
            if (publication.medium() == medium) {
                publication.links().all().forEach(link -> link.attempts().onWayChanged(nowNs));
            }
        }
    }

    /**
     * Notes that a completion queue of a control connection has overrun: it holds up whom it serves.
     *
     * @param peer at the other end of that connection.
     */
    public void onOverrun(final ConnectedPeer peer) {
        for (final PublicationState publication : publications) {
            for (final PublicationLink link : publication.links().all()) {
                if (link.peer() == peer) {
                    publication.pressure().onOverrun();
                }
            }
        }
    }

    /**
     * Notes that a completion queue of a peer has overrun, which may have been noticed here before, by what came of it.
     *
     * @param link whose queue has overrun there.
     */
    public void onOverrunAt(final PublicationLink link) {
        link.publication().pressure().onOverrun();
        if (link.state().isResuming() && link.outbound() != null) {
            link.outbound().fail(BreakReason.COMPLETION_QUEUE_OVERRUN);
        }
    }

    /**
     * Tell a peer how far the publications that it is linked to have come.
     *
     * @param peer to tell.
     */
    public void sendHeartbeats(final ConnectedPeer peer) {
        final List<PublicationLink> links = new ArrayList<>();
        for (final PublicationState publication : publications) {
            for (final PublicationLink link : publication.links().all()) {
                if (link.peer() == peer && link.outbound() != null && link.outbound().postedPosition() >= 0) {
                    links.add(link);
                }
            }
        }
        int next = 0;
        do {
            final HeartbeatEncoder heartbeat =
                encoder.heartbeat(peer.nextHeartbeat(), services.nowNs());
            final int count = Math.min(links.size() - next, ControlDescriptor.MAX_HEARTBEAT_LINKS);
            final HeartbeatEncoder.LinksEncoder group = heartbeat.linksCount(count);
            for (int i = 0; i < count; i++) {
                final PublicationLink link = links.get(next++);
                group.next().linkId(link.id().linkId()).position(link.outbound().postedPosition()).epoch(link.epoch())
                    .role(Role.PUBLICATION);
            }
            peer.send(encoder.buffer(), MessageHeaderEncoder.ENCODED_LENGTH + heartbeat.encodedLength());
        } while (next < links.size());
    }

    /**
     * Find the link that a message of a peer is about.
     *
     * @param peer   that has sent it.
     * @param linkId in the message.
     * @return the link, or null when that peer has no such one.
     */
    public PublicationLink find(final ConnectedPeer peer, final long linkId) {
        for (final PublicationState publication : publications) {
            for (final PublicationLink link : publication.links().all()) {
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
    public PublicationLink find(final ConnectedPeer peer, final long linkId, final long epoch) {
        final PublicationLink link = find(peer, linkId);
        return link != null && link.epoch() == epoch ? link : null;
    }
}
