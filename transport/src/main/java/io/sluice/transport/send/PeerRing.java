package io.sluice.transport.send;

import io.sluice.transport.buffer.RemoteMemory;

/**
 * The receive ring of a link's peer, as it accepted the link. Immutable; any thread.
 *
 * @param memory           where the ring lies, at the peer.
 * @param windowLength     bytes of log and ring, a power of two.
 * @param receiveDepth     receives that the peer has posted at the start and keeps posted.
 * @param sharedLog        whether the ring is the log itself, mapped by the peer.
 * @param memoryCompletion whether the peer looks at the shared log's frames, so that nothing is posted.
 */
public record PeerRing(
    RemoteMemory memory, int windowLength, int receiveDepth, boolean sharedLog, boolean memoryCompletion) {
}
