package io.sluice.transport.stream;

import io.sluice.transport.peer.PeerOrigin;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers of links with each peer and with each host, and of bytes of logs that are registered for them, those
 * included that are broken or have yet to be set up. A peer that comes back has those that it had. Conductor only.
 */
final class LinkCounts {
    private final Map<PeerOrigin, Integer> byPeer = new HashMap<>();
    private final Map<String, Integer> byHost = new HashMap<>();
    private final Map<PeerOrigin, Long> logBytesByPeer = new HashMap<>();
    private final Map<String, Long> logBytesByHost = new HashMap<>();

    void add(final PeerOrigin peer) {
        byPeer.merge(peer.eitherWay(), 1, Integer::sum);
        byHost.merge(peer.place(), 1, Integer::sum);
    }

    void remove(final PeerOrigin peer) {
        byPeer.computeIfPresent(peer.eitherWay(), (key, count) -> count == 1 ? null : count - 1);
        byHost.computeIfPresent(peer.place(), (key, count) -> count == 1 ? null : count - 1);
    }

    /** Adds bytes of a log that are registered for a link with a peer. */
    void addLog(final PeerOrigin peer, final long bytes) {
        if (bytes > 0) {
            logBytesByPeer.merge(peer.eitherWay(), bytes, Long::sum);
            logBytesByHost.merge(peer.place(), bytes, Long::sum);
        }
    }

    void removeLog(final PeerOrigin peer, final long bytes) {
        logBytesByPeer.computeIfPresent(peer.eitherWay(), (key, sum) -> sum == bytes ? null : sum - bytes);
        logBytesByHost.computeIfPresent(peer.place(), (key, sum) -> sum == bytes ? null : sum - bytes);
    }

    long logBytesOfPeer(final PeerOrigin peer) {
        return logBytesByPeer.getOrDefault(peer.eitherWay(), 0L);
    }

    long logBytesOfHost(final PeerOrigin peer) {
        return logBytesByHost.getOrDefault(peer.place(), 0L);
    }

    int ofPeer(final PeerOrigin peer) {
        return byPeer.getOrDefault(peer.eitherWay(), 0);
    }

    int ofHost(final PeerOrigin peer) {
        return byHost.getOrDefault(peer.place(), 0);
    }
}
