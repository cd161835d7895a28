package io.sluice.transport.connection;

import java.util.HashMap;
import java.util.Map;

/**
 * How many links there are with each peer and with each host, and how many bytes of logs are registered for them, those
 * included that are broken or have yet to be set up. A peer that comes back has those that it had. Conductor only.
 */
final class LinkCounts {
    /** One transport has a session for each direction in which somebody dialled, and no quota for each. */
    private record Peer(TransportId peerId, String place) {
        static Peer of(final PeerOrigin origin) {
            return new Peer(origin.peerId(), origin.place());
        }
    }

    private final Map<Peer, Integer> byPeer = new HashMap<>();
    private final Map<String, Integer> byHost = new HashMap<>();
    private final Map<Peer, Long> logBytesByPeer = new HashMap<>();
    private final Map<String, Long> logBytesByHost = new HashMap<>();

    void add(final PeerOrigin peer) {
        byPeer.merge(Peer.of(peer), 1, Integer::sum);
        byHost.merge(peer.place(), 1, Integer::sum);
    }

    void remove(final PeerOrigin peer) {
        byPeer.computeIfPresent(Peer.of(peer), (key, count) -> count == 1 ? null : count - 1);
        byHost.computeIfPresent(peer.place(), (key, count) -> count == 1 ? null : count - 1);
    }

    /** Bytes of a log are registered for a link with a peer. */
    void addLog(final PeerOrigin peer, final long bytes) {
        if (bytes > 0) {
            logBytesByPeer.merge(Peer.of(peer), bytes, Long::sum);
            logBytesByHost.merge(peer.place(), bytes, Long::sum);
        }
    }

    void removeLog(final PeerOrigin peer, final long bytes) {
        logBytesByPeer.computeIfPresent(Peer.of(peer), (key, sum) -> sum == bytes ? null : sum - bytes);
        logBytesByHost.computeIfPresent(peer.place(), (key, sum) -> sum == bytes ? null : sum - bytes);
    }

    long logBytesOfPeer(final PeerOrigin peer) {
        return logBytesByPeer.getOrDefault(Peer.of(peer), 0L);
    }

    long logBytesOfHost(final PeerOrigin peer) {
        return logBytesByHost.getOrDefault(peer.place(), 0L);
    }

    int ofPeer(final PeerOrigin peer) {
        return byPeer.getOrDefault(Peer.of(peer), 0);
    }

    int ofHost(final PeerOrigin peer) {
        return byHost.getOrDefault(peer.place(), 0);
    }
}
