package io.sluice.transport.connection;

import java.util.HashMap;
import java.util.Map;

/**
 * How many links there are with each peer and with each host, and how many bytes of logs are registered for them, those
 * included that are broken or have yet to be set up. A peer that comes back has those that it had. Conductor only.
 */
final class LinkCounts {
    private final Map<PeerOrigin, Integer> bySession = new HashMap<>();
    private final Map<String, Integer> byHost = new HashMap<>();
    private final Map<PeerOrigin, Long> logBytesBySession = new HashMap<>();
    private final Map<String, Long> logBytesByHost = new HashMap<>();

    void add(final PeerOrigin peer) {
        bySession.merge(peer, 1, Integer::sum);
        byHost.merge(peer.place(), 1, Integer::sum);
    }

    void remove(final PeerOrigin peer) {
        bySession.computeIfPresent(peer, (key, count) -> count == 1 ? null : count - 1);
        byHost.computeIfPresent(peer.place(), (key, count) -> count == 1 ? null : count - 1);
    }

    /** Bytes of a log are registered for a link with a peer. */
    void addLog(final PeerOrigin peer, final long bytes) {
        if (bytes > 0) {
            logBytesBySession.merge(peer, bytes, Long::sum);
            logBytesByHost.merge(peer.place(), bytes, Long::sum);
        }
    }

    void removeLog(final PeerOrigin peer, final long bytes) {
        logBytesBySession.computeIfPresent(peer, (key, sum) -> sum == bytes ? null : sum - bytes);
        logBytesByHost.computeIfPresent(peer.place(), (key, sum) -> sum == bytes ? null : sum - bytes);
    }

    long logBytesOfSession(final PeerOrigin peer) {
        return logBytesBySession.getOrDefault(peer, 0L);
    }

    long logBytesOfHost(final PeerOrigin peer) {
        return logBytesByHost.getOrDefault(peer.place(), 0L);
    }

    int ofSession(final PeerOrigin peer) {
        return bySession.getOrDefault(peer, 0);
    }

    int ofHost(final PeerOrigin peer) {
        return byHost.getOrDefault(peer.place(), 0);
    }
}
