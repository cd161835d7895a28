package io.sluice.transport.stream;

import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The links of one publication: which there are, which of them the writing thread posts on, and what is released when
 * it cannot be using it any more. Conductor only.
 */
public final class PublicationLinks {
    /** The most links of one publication: a bound on what peers can make us allocate; twice what one host may have. */
    static final int MAX_LINKS = 4096;

    private final Services services;
    private final Tasks tasks;
    private final Failures failures;
    private final SendLog log;
    private final LogPoster poster;
    private final List<PublicationLink> links = new ArrayList<>();
    /** Links by their subscription: peers announce thousands, and each is looked up again and again. */
    private final Map<Target, PublicationLink> byTarget = new HashMap<>();
    private final List<AutoCloseable> retired = new ArrayList<>();
    private final RefusedSubscriptions refused = new RefusedSubscriptions();
    private boolean wasFull;
    private boolean isDelivering;
    private boolean isOver;
    private boolean hasLost;
    private volatile int toResume;

    /** A subscription of a peer. */
    private record Target(PeerOrigin origin, long subscriptionId) {
        static Target of(final PublicationLink link) {
            return new Target(link.origin(), link.subscriptionId());
        }
    }

    PublicationLinks(final Services services, final SendLog log, final LogPoster poster) {
        this.services = services;
        tasks = services.tasks();
        failures = services.failures();
        this.log = log;
        this.poster = poster;
    }

    int doWork(final long nowNs) {
        int work = 0;
        for (int i = links.size() - 1; i >= 0; i--) {
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
    void countToResume() {
        int count = 0;
        for (int i = 0; i < links.size(); i++) {
            final PublicationLink link = links.get(i);
            if (link.isResuming() && link.state().lacksQueuePair()) {
                count++;
            }
        }
        toResume = count;
    }

    /** {@return how many there were at {@link #countToResume()}} Any thread. */
    int toResume() {
        return toResume;
    }

    void add(final PublicationLink link) {
        links.add(link);
        byTarget.put(Target.of(link), link);
    }

    /** {@return the link to a subscription of a peer, or null} */
    PublicationLink find(final PeerOrigin origin, final long subscriptionId) {
        return byTarget.get(new Target(origin, subscriptionId));
    }

    /** {@return whether there may be one more} That there may not is told once, until there may again. */
    boolean hasRoom(final String channel) {
        final boolean isFull = links.size() >= MAX_LINKS;
        if (isFull) {
            failures.report(roomOn(channel), "full", "too many subscriptions: links=" + MAX_LINKS
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

    /** Removes a link that is over for good; who is owed something then will not receive it any more. */
    void remove(final PublicationLink link) {
        if (links.remove(link)) {
            byTarget.remove(Target.of(link), link);
            if (isDelivering && isOwed(link)) {
                onLost();
            }
        }
    }

    /** Whether something was offered that a link has not consumed as far as is known, and should have. */
    boolean isOwed(final PublicationLink link) {
        final OutboundLink outbound = link.outbound();
        return !isOver && !link.isEndReceived() && outbound != null && outbound.joinPosition() != OutboundLink.UNSET
            && outbound.consumedPosition() < log.tail();
    }

    private void onLost() {
        hasLost = true;
        services.counters().increment(TransportCounter.LINGER_EXPIRED);
    }

    /** Begins the delivery of what was offered, when nothing more is: all are to receive it. */
    void beginDelivery() {
        isDelivering = true;
    }

    /** {@return true when nobody is waited for any more} Announce the end of the stream where everything is posted. */
    boolean deliverEnd() {
        boolean all = true;
        for (final PublicationLink link : links) {
            all &= link.deliverEnd(log.tail());
        }
        return all;
    }

    /** {@return whether every link has received everything, those included that have gone meanwhile} */
    boolean hasDelivered() {
        return !hasLost;
    }

    /** Counts the links that have not received everything when the linger is over. */
    void expireDelivery() {
        for (final PublicationLink link : links) {
            if (!link.isEndReceived()) {
                onLost();
            }
        }
    }

    /** Ends the delivery: links that go from now on have received everything, or were counted. */
    void endDelivery() {
        isDelivering = false;
        isOver = true;
    }

    /** Notes a peer's subscription that is not to be tried again: its bytes, or ours in its eyes, were wrong. */
    void refuse(final PublicationLink link) {
        refused.add(link.origin(), link.subscriptionId());
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
    void onSessionLost(final PeerOrigin peer) {
        refused.removeAll(peer);
        PublicationLinkErrors.onSessionLost(failures, peer);
    }

    /** Post on a link from now on, in place of an earlier epoch's. */
    void attach(final OutboundLink link, final OutboundLink replaced) {
        final OutboundLink[] current = poster.links();
        final List<OutboundLink> next = new ArrayList<>(List.of(current));
        next.remove(replaced);
        next.add(link);
        poster.links(next.toArray(OutboundLink[]::new));
        settle();
    }

    /** Do not post on a link nor wait for it any more. */
    void detach(final OutboundLink link) {
        final List<OutboundLink> next = new ArrayList<>(List.of(poster.links()));
        if (next.remove(link)) {
            log.markWholeForALap();
            poster.links(next.toArray(OutboundLink[]::new));
            settle();
        }
    }

    /** Release something as soon as the writing thread cannot be using it any more. */
    void retire(final AutoCloseable resource) {
        if (resource != null) {
            retired.add(resource);
        }
    }

    /**
     * Let new links join when the writing thread has seen them.
     *
     * @return true when no link waits for it.
     */
    boolean joinLinks() {
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

    /** Make the writing thread respect new links, a lease of the token, or the closing. */
    void settle() {
        poster.requestToken();
        services.parameters().environment().fenceAllThreads();
        poster.onFenced();
    }
}
