package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.PeerOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Requests for fresh links to publications whose earlier image the application has not consumed yet: it sees one image
 * of a session after the other, and a subscriber that stands still is not taken back to be left behind again.
 * Conductor only.
 * <pre>
 *   Setup ──mustWait──→ waiting ──the earlier link is GONE──→ taken up, as if it came now
 *                          └──closed, out of time, or in vain──→ dropped without an answer
 * </pre>
 * <table>
 *   <caption>What moves a request, and the thread that the work is done on before</caption>
 *   <tr><td>waiting</td><td>the consumers have passed the end of the earlier image, and its handlers have run</td>
 *     <td>polling, callback</td></tr>
 *   <tr><td>waiting</td><td>the publisher closes the link that it asked for, or asks anew</td><td>conductor</td></tr>
 *   <tr><td>waiting</td><td>the handshake timeout is over, the control session is lost, or the subscription closed</td>
 *     <td>conductor</td></tr>
 * </table>
 * A dropped request needs no Refuse: the publisher has a handshake timeout of its own, hears of a lost control session
 * or a closed subscription by other ways, gives the fresh link up, and makes another one at its next look if it should.
 */
final class DeferredSetups {
    /** Takes up a request that need not wait any more. */
    interface Taker {
        /**
         * Takes a request up as if its Setup had just come: quotas and rivals are looked at once more, since both may
         * have changed meanwhile, and the answer may be a Refuse.
         *
         * @param peer         that it came over, which is ready.
         * @param subscription that it asks for, which is open.
         * @param request      of the publisher.
         */
        void setUp(ConnectedPeer peer, SubscriptionState subscription, SetupRequest request);
    }

    /**
     * A request that waits.
     *
     * @param peer         that it came over; another one makes it void, as the publisher asks anew there.
     * @param subscription that it asks for.
     * @param request      as the publisher has sent it, all of whose keys and addresses are of its current epoch.
     * @param deadlineNs   when the publisher is taken to have given it up, by the conductor's clock.
     */
    private record Deferred(
        ConnectedPeer peer, SubscriptionState subscription, SetupRequest request, long deadlineNs) {
    }

    private final Services services;
    /**
     * The requests that wait, in the order of their coming; looked at from the last one on, since the order says
     * nothing about whose image ends first.
     */
    private final List<Deferred> waiting = new ArrayList<>();

    DeferredSetups(final Services services) {
        this.services = services;
    }

    /**
     * Whether an image of the same publication, or of one whose session it continues, is not gone yet. A link of this
     * incarnation stands in the way in any state: its publisher has given it up, or would not ask for another. One of
     * another transport stands in the way only while it is ending: before that it is a rival, and the request is
     * refused.
     *
     * @return false when the request can be taken up now.
     */
    boolean mustWait(
        final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        for (final SubscriptionLink link : subscription.links().all()) {
            final boolean isSameOrigin = link.id().origin().equals(peer.origin());
            if (isSameOrigin && link.id().incarnation().equals(request.publication().incarnation())
                || isSameSession(link, request) && (isSameOrigin || link.end().isEnding())) {
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
        final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        for (final SubscriptionLink link : subscription.links().all()) {
            if (isSameSession(link, request) && !link.id().origin().equals(peer.origin()) && !link.end().isEnding()) {
                return link;
            }
        }
        return null;
    }

    /**
     * Whether a request is of another publication of the same session: the same one may come by another way, and is no
     * rival to itself.
     */
    private static boolean isSameSession(final SubscriptionLink link, final SetupRequest request) {
        return link.image().sessionId() == request.publication().sessionId()
            && !link.id().incarnation().equals(request.publication().incarnation());
    }

    /** Adds one, at most one for each publication: the publisher has given up what it asked for before. */
    void add(final ConnectedPeer peer, final SubscriptionState subscription, final SetupRequest request) {
        waiting.removeIf(other -> other.peer == peer && other.subscription == subscription
            && other.request.publication().incarnation().equals(request.publication().incarnation()));
        // by then the publisher has given up too, and asks again
        waiting.add(new Deferred(
            peer, subscription, request, services.nowNs() + services.parameters().durations().handshakeTimeoutNs()));
    }

    /**
     * Drops what was asked for a link that the publisher has closed before it was made. Without such a request nothing
     * happens: the link may have been taken up, refused or dropped before.
     */
    void remove(final ConnectedPeer peer, final long linkId) {
        waiting.removeIf(other -> other.peer == peer && other.request.linkId() == linkId);
    }

    /**
     * {@return the number of requests of some peers that wait} They count as links against the quotas of a peer and of
     * its host: waiting is no way around those.
     */
    int count(final Predicate<PeerOrigin> peers) {
        int count = 0;
        for (final Deferred each : waiting) {
            count += peers.test(each.peer.origin()) ? 1 : 0;
        }
        return count;
    }

    /**
     * Takes up what need not wait any more, and drops what is in vain. Each duty cycle, after the subscriptions: a link
     * that has just gone lets its successor begin in this very cycle.
     *
     * @param nowNs time of the conductor's clock.
     * @param taker takes up each request at most once.
     * @return how many wait no more.
     */
    int doWork(final long nowNs, final Taker taker) {
        int work = 0;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            final Deferred next = waiting.get(i);
            final boolean over =
                nowNs - next.deadlineNs > 0 || !next.peer.isReady() || !next.subscription.isOpen();
            if (over || !mustWait(next.peer, next.subscription, next.request)) {
                waiting.remove(i);
                work++;
                if (!over) {
                    taker.setUp(next.peer, next.subscription, next.request);
                }
            }
        }
        return work;
    }
}
