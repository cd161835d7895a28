package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.peer.PeerChannel;
import io.sluice.transport.peer.PeerOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Requests for fresh links to publications whose earlier image the application has not consumed yet: it sees one image
 * of a session after the other, and a subscriber that stands still is not taken back to be left behind again.
 * Conductor only.
 */
final class DeferredSetups {
    /** Takes up a request that need not wait any more. */
    interface Taker {
        void setUp(PeerChannel session, SubscriptionState subscription, SetupRequest request);
    }

    private record Deferred(
        PeerChannel session, SubscriptionState subscription, SetupRequest request, long deadlineNs) {
    }

    private final Services services;
    private final List<Deferred> waiting = new ArrayList<>();

    DeferredSetups(final Services services) {
        this.services = services;
    }

    /** Whether an image of the same publication, or of one whose session it continues, is not gone yet. */
    boolean mustWait(
        final PeerChannel session, final SubscriptionState subscription, final SetupRequest request) {
        for (final SubscriptionLink link : subscription.links()) {
            final boolean isSameOrigin = link.id().origin().equals(session.origin());
            if (isSameOrigin && link.id().incarnation().equals(request.publication().incarnation())
                || isSameSession(link, request) && (isSameOrigin || link.isEnding())) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@return the link of another transport's publication that is the same session and has not ended, or null} Two of
     * them at a time cannot be told apart by whoever looks at session ids.
     */
    static SubscriptionLink rival(
        final PeerChannel session, final SubscriptionState subscription, final SetupRequest request) {
        for (final SubscriptionLink link : subscription.links()) {
            if (isSameSession(link, request) && !link.id().origin().equals(session.origin()) && !link.isEnding()) {
                return link;
            }
        }
        return null;
    }

    /** Another publication of the same session: the same one may come by another way, and is no rival to itself. */
    private static boolean isSameSession(final SubscriptionLink link, final SetupRequest request) {
        return link.image().sessionId() == request.publication().sessionId()
            && !link.id().incarnation().equals(request.publication().incarnation());
    }

    /** At most one for each publication: the publisher has given up what it asked for before. */
    void add(final PeerChannel session, final SubscriptionState subscription, final SetupRequest request) {
        waiting.removeIf(other -> other.session == session && other.subscription == subscription
            && other.request.publication().incarnation().equals(request.publication().incarnation()));
        // by then the publisher has given up too, and asks again
        waiting.add(new Deferred(
            session, subscription, request, services.nowNs() + services.parameters().durations().handshakeTimeoutNs()));
    }

    void remove(final PeerChannel session, final long linkId) {
        waiting.removeIf(other -> other.session == session && other.request.linkId() == linkId);
    }

    /** {@return how many requests of some peers wait} */
    int count(final Predicate<PeerOrigin> peers) {
        int count = 0;
        for (final Deferred each : waiting) {
            count += peers.test(each.session.origin()) ? 1 : 0;
        }
        return count;
    }

    int doWork(final long nowNs, final Taker taker) {
        int work = 0;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            final Deferred next = waiting.get(i);
            final boolean over =
                nowNs - next.deadlineNs > 0 || !next.session.isReady() || !next.subscription.isOpen();
            if (over || !mustWait(next.session, next.subscription, next.request)) {
                waiting.remove(i);
                work++;
                if (!over) {
                    taker.setUp(next.session, next.subscription, next.request);
                }
            }
        }
        return work;
    }
}
