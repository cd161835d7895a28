package io.sluice.transport.stream;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.status.ErrorKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The links of one publication: which there are, which of them the writing thread posts on, and what is released when
 * it cannot be using it any more. Conductor only.
 */
public final class PublicationLinks implements PublicationLink.Owner {
    /** The most links of one publication: a bound on what peers can make us allocate; twice what one host may have. */
    static final int MAX_LINKS = 4096;

    private final Services services;
    private final Tasks tasks;
    private final Failures failures;
    private final SendLog log;
    /**
     * The poster of the log. Its links are an array that is replaced as a whole, and never changed: writing threads
     * take it once for each call.
     */
    private final LogPoster poster;
    /** All links, those included that are set up or broken; the poster has those only that were connected once. */
    private final List<PublicationLink> links = new ArrayList<>();
    /** Links by their subscription: peers announce thousands, and each is looked up again and again. */
    private final Map<Target, PublicationLink> byTarget = new HashMap<>();
    /**
     * Memory that a writing thread may be using yet: released together, once all of them have been outside since the
     * last change.
     */
    private final List<AutoCloseable> retired = new ArrayList<>();
    /** Peers' subscriptions that are left alone, since a link to them could only fail alike. */
    private final RefusedSubscriptions refused = new RefusedSubscriptions();
    /** Whether the last one that asked found no room: told once, and taken back when there is room again. */
    private boolean wasFull;
    private final LinkSetups setups;
    private final PublicationDelivery delivery;

    /** A subscription of a peer. */
    private record Target(PeerOrigin origin, long subscriptionId) {
        static Target of(final PublicationLink link) {
            return new Target(link.id().origin(), link.id().subscriptionId());
        }
    }

    /**
     * Creates a publication's links, of which there are none yet. Application's thread, before the conductor knows of
     * them.
     *
     * @param services of the transport.
     * @param log      of the publication.
     * @param poster   of that log.
     * @param setups   of all links; whoever releases the completion queue waits for these.
     */
    PublicationLinks(
        final Services services, final SendLog log, final LogPoster poster, final LinkSetups setups) {
        this.services = services;
        tasks = services.tasks();
        failures = services.failures();
        this.log = log;
        this.poster = poster;
        this.setups = setups;
        delivery = new PublicationDelivery(services, links, log);
    }

    /**
     * Moves each link on, from the last one, since a link that ends leaves the list meanwhile, or takes others along.
     * Then what is retired goes to the set-up thread, if no writing thread can be using it.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    int doWork(final long nowNs) {
        int work = 0;
        for (int i = links.size() - 1; i >= 0; i = Math.min(i, links.size()) - 1) {
            work += links.get(i).doWork(nowNs);
        }
        if (!retired.isEmpty() && poster.isSettled()) {
            tasks.releaseAll(retired);
            work++;
        }
        return work;
    }

    /** {@return the links, not to be modified; copied where links may come or go meanwhile} */
    public List<PublicationLink> all() {
        return links;
    }

    /** Counts links that are to have a queue pair again and may have none: a new one must not take their room. */
    @Override
    public void onSetupBegun() {
        int toResume = 0;
        for (int i = 0; i < links.size(); i++) {
            final PublicationLink link = links.get(i);
            if (link.isResuming() && link.state().lacksQueuePair()) {
                toResume++;
            }
        }
        setups.onBegun(toResume);
    }

    @Override
    public void onSetupEnded() {
        setups.onEnded();
    }

    /** Adds a link that is about to be set up; there must be none yet to the same subscription of that origin. */
    void add(final PublicationLink link) {
        links.add(link);
        byTarget.put(Target.of(link), link);
    }

    /**
     * {@return the link to a subscription of a peer, in any state but GONE; null when there is none, so that one may be
     * made} A link whose control session is lost is found too: it is the one that goes on when the peer is back.
     */
    PublicationLink find(final PeerOrigin origin, final long subscriptionId) {
        return byTarget.get(new Target(origin, subscriptionId));
    }

    /**
     * {@return whether there may be one more} That there may not is told once, until there may again. Subscriptions
     * that are left over are looked at again with every look for missing links, five times a second.
     */
    boolean hasRoom(final String channel) {
        final boolean isFull = links.size() >= MAX_LINKS;
        if (isFull) {
            failures.report(ErrorKind.RESOURCES, roomOn(channel), "full", "too many subscriptions: links=" + MAX_LINKS
                + " channel=" + channel + "; those that are left over wait until others have gone");
        } else if (wasFull) {
            failures.recovered(roomOn(channel));
        }
        wasFull = isFull;
        return !isFull;
    }

    private static String roomOn(final String channel) {
        return "room for links of channel=" + channel;
    }

    @Override
    public void onGone(final PublicationLink link) {
        if (links.remove(link)) {
            byTarget.remove(Target.of(link), link);
            delivery.onGone(link);
        }
    }

    @Override
    public boolean isOwed(final PublicationLink link) {
        return delivery.isOwed(link);
    }

    /** {@return the delivery of what was offered, when the publication is closed} */
    PublicationDelivery delivery() {
        return delivery;
    }

    @Override
    public boolean isResumable(final OutboundLink link, final long received) {
        return received >= link.consumedPosition() && received <= poster.claimableEnd()
            && (received & FrameDescriptor.FRAME_ALIGNMENT - 1) == 0;
    }

    @Override
    public void refuse(final PublicationLink link) {
        refused.add(link.id().origin(), link.id().subscriptionId());
    }

    /** Whether a peer's subscription is not to be tried. */
    boolean isRefused(final PeerOrigin peer, final long subscriptionId) {
        return refused.contains(peer, subscriptionId);
    }

    /** Forgets what was refused or told of a peer's subscription that has ended. */
    void onUnsubscribe(final PeerOrigin peer, final long subscriptionId) {
        refused.remove(peer, subscriptionId);
        PublicationLinkErrors.onUnsubscribe(failures, peer, subscriptionId);
    }

    /** Forgets what was refused or told of a peer when the connection to it has ended. */
    void onPeerLost(final PeerOrigin peer) {
        refused.removeAll(peer);
        PublicationLinkErrors.onPeerLost(failures, peer);
    }

    @Override
    public void attach(final OutboundLink link, final OutboundLink replaced) {
        final OutboundLink[] current = poster.links();
        final List<OutboundLink> next = new ArrayList<>(List.of(current));
        next.remove(replaced);
        next.add(link);
        poster.links(next.toArray(OutboundLink[]::new));
        settle();
    }

    @Override
    public void detach(final OutboundLink link) {
        final List<OutboundLink> next = new ArrayList<>(List.of(poster.links()));
        if (next.remove(link)) {
            log.markWholeForALap();
            poster.links(next.toArray(OutboundLink[]::new));
            settle();
        }
    }

    @Override
    public void retire(final AutoCloseable resource) {
        if (resource != null) {
            retired.add(resource);
        }
    }

    @Override
    public boolean joinLinks() {
        if (!poster.isSettled()) {
            return false;
        }
        for (final OutboundLink link : poster.links()) {
            if (link.joinPosition() == OutboundLink.UNSET) {
                link.join(log.tail());
            }
        }
        return true;
    }

    /** Whether nothing waits any more for the writing thread to be done with it. */
    boolean isNothingRetired() {
        return retired.isEmpty();
    }

    /**
     * Makes the writing threads respect new links, a lease of the token, or the closing: those that enter from now on
     * do, and {@link LogPoster#isSettled} says when the others have left. Costs the conductor a fence on all threads,
     * some microseconds, and writing threads nothing (019).
     */
    void settle() {
        poster.requestToken();
        services.parameters().environment().fenceAllThreads();
        poster.onFenced();
    }
}
