package io.sluice.transport.connection;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Peers' subscriptions that one publication does not try to link to again, because their bytes, or ours in their eyes,
 * were wrong; until they end, or the connection to their peer does. Conductor only.
 */
final class RefusedSubscriptions {
    /** The oldest is forgotten first, and tried again: a bound on what peers can make us keep. */
    static final int MAX_REMEMBERED = ControlSessions.MAX_REMOTE_SUBSCRIPTIONS;

    private record Refused(TransportId peerId, long subscriptionId) {
    }

    private final Set<Refused> refused = new LinkedHashSet<>();

    void add(final TransportId peerId, final long subscriptionId) {
        if (refused.add(new Refused(peerId, subscriptionId)) && refused.size() > MAX_REMEMBERED) {
            final Iterator<Refused> oldest = refused.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    boolean contains(final TransportId peerId, final long subscriptionId) {
        return refused.contains(new Refused(peerId, subscriptionId));
    }

    /** The subscription has ended. */
    void remove(final TransportId peerId, final long subscriptionId) {
        refused.remove(new Refused(peerId, subscriptionId));
    }

    /** The connection to a peer has ended. */
    void removeAll(final TransportId peerId) {
        refused.removeIf(one -> one.peerId().equals(peerId));
    }
}
