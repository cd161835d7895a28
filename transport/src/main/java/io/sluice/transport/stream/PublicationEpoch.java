package io.sluice.transport.stream;

import io.sluice.codec.control.AcceptDecoder;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.send.LinkStart;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.PeerRing;
import io.sluice.transport.send.SendLimits;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;

/**
 * The parts of a publication's link that last for one epoch only. Immutable; the link owns them, and releases queue
 * pair and feedback region on the set-up thread. The region outlives the epoch: while the link is broken, it gates by
 * what the cell said last.
 *
 * @param queuePair      in INIT when it is made; connected when the peer has accepted.
 * @param feedbackRegion with the cell that the subscriber reports into.
 * @param logRegion      the log, as the queue pair can send from it; the link's for as long as that lasts.
 */
record PublicationEpoch(QueuePair queuePair, MemoryRegion feedbackRegion, MemoryRegion logRegion) {
    /**
     * Returns what the sending end is made of when the peer has accepted. Where a peer maps the log, its ring is that:
     * the window is this side's word, not the peer's.
     *
     * @param linkIndex that stands in the id of each work request.
     * @param epoch     its number, which stands there, too.
     * @param accept    of the peer.
     * @param limits    of the writes that may be under way.
     * @param start     where the epoch goes on from.
     */
    OutboundLinkParameters parameters(
        final int linkIndex,
        final int epoch,
        final AcceptDecoder accept,
        final int windowLength,
        final SendLimits limits,
        final LinkStart start) {
        return new OutboundLinkParameters(
            queuePair, linkIndex, epoch, logRegion, feedbackRegion,
            new PeerRing(
                new RemoteMemory(accept.ringAddress(), (int) accept.ringKey()), windowLength,
                accept.receiveDepth(), accept.flags().sharedLog(), accept.flags().memoryCompletion()),
            limits, start);
    }
}
