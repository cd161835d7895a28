package io.sluice.transport.peer;

import io.sluice.transport.agent.Services;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The subscriptions that the peers of one medium have announced: those that are listened to, and some that wait because
 * their host has as many as it may have. Conductor only.
 */
public final class PeerSubscriptions {
    /** Subscriptions of one peer at most: a bound on what it can make us keep. */
    public static final int MAX_OF_PEER = 4096;

    /** Subscriptions of one peer that wait at most; a program that is within its quota but for a moment has fewer. */
    static final int MAX_WAITING = 64;

    private final Services services;
    private final RefusedPeers refusedPeers;
    private final Map<ConnectedPeer, Map<Long, PeerSubscription>> heard = new HashMap<>();
    private final Map<ConnectedPeer, Map<Long, PeerSubscription>> waiting = new HashMap<>();

    PeerSubscriptions(final Services services, final RefusedPeers refusedPeers) {
        this.services = services;
        this.refusedPeers = refusedPeers;
    }

    /** Begins to listen to what a peer announces, which is known now. */
    void begin(final ConnectedPeer session) {
        heard.put(session, new HashMap<>());
    }

    /** Ends a session, and its peer's subscriptions with it: the peer announces them anew, maybe in this cycle. */
    void end(final ConnectedPeer session) {
        heard.remove(session);
        waiting.remove(session);
    }

    /** {@return whether the peer, and its host, may have so many} */
    boolean add(final ConnectedPeer session, final PeerSubscription subscription) {
        final Map<Long, PeerSubscription> known = heard.get(session);
        final boolean isKnown = known != null && known.containsKey(subscription.subscriptionId());
        if (known == null || known.size() >= MAX_OF_PEER && !isKnown) {
            session.protocolError("too many subscriptions: maximum=" + MAX_OF_PEER);
            return false;
        }
        final String quota = isKnown ? null : problem(session);
        if (quota != null) {
            await(session, subscription);
            refusedPeers.tellQuota(session.distinctPeer(), "a subscription of " + session.distinctPeer()
                + " is not listened to, until others of its host have ended", quota);
            return false;
        }
        known.put(subscription.subscriptionId(), subscription);
        return true;
    }

    private void await(final ConnectedPeer session, final PeerSubscription subscription) {
        final Map<Long, PeerSubscription> ofSession =
            waiting.computeIfAbsent(session, key -> new LinkedHashMap<>());
        if (ofSession.size() < MAX_WAITING) {
            ofSession.put(subscription.subscriptionId(), subscription);
        }
    }

    /** Listen to those that wait, as far as their hosts may have more. */
    void admit() {
        for (final ConnectedPeer session : List.copyOf(waiting.keySet())) {
            final Iterator<PeerSubscription> first = waiting.get(session).values().iterator();
            while (first.hasNext() && heard.get(session).size() < MAX_OF_PEER && problem(session) == null) {
                final PeerSubscription admitted = first.next();
                first.remove();
                heard.get(session).put(admitted.subscriptionId(), admitted);
            }
            if (waiting.get(session).isEmpty()) {
                waiting.remove(session);
            }
        }
    }

    private String problem(final ConnectedPeer session) {
        final String place = session.origin().place();
        int count = 0;
        for (final Map.Entry<ConnectedPeer, Map<Long, PeerSubscription>> each : heard.entrySet()) {
            count += each.getKey().origin().place().equals(place) ? each.getValue().size() : 0;
        }
        return services.quotas().problemOfSubscriptions(count);
    }

    void remove(final ConnectedPeer session, final long subscriptionId) {
        remove(heard.get(session), subscriptionId);
        remove(waiting.get(session), subscriptionId);
    }

    private static void remove(final Map<Long, PeerSubscription> ofSession, final long subscriptionId) {
        if (ofSession != null) {
            ofSession.remove(subscriptionId);
        }
    }

    /** Subscriptions of a peer that are listened to, a copy. */
    Collection<PeerSubscription> of(final ConnectedPeer session) {
        return new ArrayList<>(heard.getOrDefault(session, Map.of()).values());
    }
}
