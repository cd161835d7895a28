package io.sluice.transport.stream;

import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.peer.PeerSubscriptions;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Peers' subscriptions that one publication does not try to link to again, because their bytes, or ours in their eyes,
 * were wrong; until they end, or the connection to their peer does. Conductor only.
 */
final class RefusedSubscriptions {
    /**
     * The most subscriptions that are remembered; the oldest is forgotten first, and tried again: a bound on what peers
     * can make us keep.
     */
    static final int MAX_REMEMBERED = PeerSubscriptions.MAX_OF_PEER;

    private record Refused(PeerOrigin peer, long subscriptionId) {
    }

    private final Set<Refused> refused = new LinkedHashSet<>();

    /** {@return whether the subscription was not there yet} */
    boolean add(final PeerOrigin peer, final long subscriptionId) {
        final boolean isNew = refused.add(new Refused(peer, subscriptionId));
        if (refused.size() > MAX_REMEMBERED) {
            final Iterator<Refused> oldest = refused.iterator();
            oldest.next();
            oldest.remove();
        }
        return isNew;
    }

    boolean contains(final PeerOrigin peer, final long subscriptionId) {
        return refused.contains(new Refused(peer, subscriptionId));
    }

    /** Removes a subscription that has ended, or is not refused any more. */
    void remove(final PeerOrigin peer, final long subscriptionId) {
        refused.remove(new Refused(peer, subscriptionId));
    }

    /** Removes all subscriptions of a peer, the connection to which has ended. */
    void removeAll(final PeerOrigin peer) {
        refused.removeIf(one -> one.peer().equals(peer));
    }
}
