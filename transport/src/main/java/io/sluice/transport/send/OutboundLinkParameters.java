package io.sluice.transport.send;

import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;

/**
 * The parts that an {@link OutboundLink} is made of. The conductor owns the queue pair and the feedback region; the
 * publication owns the log region.
 *
 * @param queuePair      ready to send.
 * @param index          of the link within its publication.
 * @param generation     of the link's epoch at that index.
 * @param logRegion      the send log.
 * @param feedbackRegion where the peer writes its feedback cell; new for every epoch.
 * @param ring           of the peer, where messages go.
 * @param limits         of what is on the way.
 * @param start          where to begin.
 */
public record OutboundLinkParameters(
    QueuePair queuePair,
    int index,
    int generation,
    MemoryRegion logRegion,
    MemoryRegion feedbackRegion,
    PeerRing ring,
    SendLimits limits,
    LinkStart start) {
}
