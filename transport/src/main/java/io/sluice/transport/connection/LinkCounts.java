package io.sluice.transport.connection;

import java.util.HashMap;
import java.util.Map;

/**
 * How many links there are with each peer and with each host, those included that are broken or have yet to be set up.
 * A peer that comes back has those that it had. Conductor only.
 */
final class LinkCounts {
    private final Map<PeerOrigin, Integer> bySession = new HashMap<>();
    private final Map<String, Integer> byHost = new HashMap<>();

    void add(final PeerOrigin peer) {
        bySession.merge(peer, 1, Integer::sum);
        byHost.merge(peer.place(), 1, Integer::sum);
    }

    void remove(final PeerOrigin peer) {
        bySession.computeIfPresent(peer, (key, count) -> count == 1 ? null : count - 1);
        byHost.computeIfPresent(peer.place(), (key, count) -> count == 1 ? null : count - 1);
    }

    int ofSession(final PeerOrigin peer) {
        return bySession.getOrDefault(peer, 0);
    }

    int ofHost(final PeerOrigin peer) {
        return byHost.getOrDefault(peer.place(), 0);
    }
}
