package io.sluice.transport.send;

import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;

/**
 * The parts that an {@link OutboundLink} is made of. The conductor owns the queue pair and the feedback region; the
 * publication owns the log region.
 *
 * @param queuePair         ready to send.
 * @param index             of the link within its publication.
 * @param generation        of the link's life at that index.
 * @param logRegion         the send log.
 * @param feedbackRegion    where the peer writes its feedback cell; new for every epoch.
 * @param ringAddress       remote address of the peer's receive ring.
 * @param ringKey           remote key of that ring.
 * @param sharedLog         whether the ring is the log itself, mapped by the peer.
 * @param memoryCompletion  whether the peer looks at the shared log's frames, so that nothing is posted.
 * @param windowLength      bytes of log and ring, a power of two.
 * @param receiveDepth      receives that the peer has posted at the start and keeps posted.
 * @param maxWritesInFlight writes posted and not yet drained by the peer's poller, at most.
 * @param sendQueueLength   writes outstanding at once, at most, also where the device grants the queue pair more:
 *                          completions of more would not fit into the completion queue.
 * @param signalInterval    at least every n-th write is signalled.
 * @param resumePosition    where to go on, or {@link OutboundLink#UNSET} for a fresh link.
 * @param consumedPosition  log bytes from here on are owed to this link; 0 for a fresh link.
 */
public record OutboundLinkParameters(
    QueuePair queuePair,
    int index,
    int generation,
    MemoryRegion logRegion,
    MemoryRegion feedbackRegion,
    long ringAddress,
    int ringKey,
    boolean sharedLog,
    boolean memoryCompletion,
    int windowLength,
    int receiveDepth,
    int maxWritesInFlight,
    int sendQueueLength,
    int signalInterval,
    long resumePosition,
    long consumedPosition) {
}
