package io.sluice.transport.stream;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.SourceAddress;
import org.agrona.CloseHelper;

/**
 * Makes the parts of one publication's links that last for one epoch only, the other side of {@link InboundEpochs}.
 * Set-up thread; has no state. Whoever asks for an epoch owns its parts, and releases them.
 */
final class OutboundEpochs {
    /** Length of a region with one feedback cell on a cache line of its own. */
    private static final int FEEDBACK_REGION_LENGTH = Math.max(64, FeedbackDescriptor.CELL_LENGTH);
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private final TransportParameters parameters;
    private final LogMemory memory;
    private final CompletionBudget completions;
    private final LinkSetups setups;

    /**
     * Creates the maker of a publication's epochs.
     *
     * @param parameters  with the medium's device.
     * @param memory      of the log, which each link registers in its own domain.
     * @param completions that the sends of all links complete at.
     * @param setups      of all its links: a new link leaves those that resume their room.
     */
    OutboundEpochs(
        final TransportParameters parameters,
        final LogMemory memory,
        final CompletionBudget completions,
        final LinkSetups setups) {
        this.parameters = parameters;
        this.memory = memory;
        this.completions = completions;
        this.setups = setups;
    }

    /**
     * Makes an epoch's queue pair and feedback region, or neither: when the device refuses one, the other is closed,
     * and its exception goes to the link. Each epoch has another feedback cell with another key, so that a late device
     * can write nowhere (005).
     *
     * @param domain     of the link, in which the log is registered with the first epoch, and once only.
     * @param isResuming whether the link goes on, so that room for it was kept in the completion queue.
     * @param source     address of the control connection, which the queue pair goes by.
     */
    PublicationEpoch make(final LinkDomain domain, final boolean isResuming, final SourceAddress source) {
        final MemoryRegion log = domain.registerForSends(memory.region());
        MemoryRegion region = null;
        QueuePair pair = null;
        try {
            region = domain.allocateRegion(FEEDBACK_REGION_LENGTH, ACCESS);
            final CompletionQueue queue = completions.reserve(isResuming ? 0 : setups.toResume());
            // nothing is ever received over it: feedback is written, and a write takes no receive
            pair = DataQueuePairs.create(parameters, domain,
                new QueuePairRoom(queue, queue, parameters.sendQueue().length(), 1), source);
            pair.initialise(ACCESS);
            completions.hold(pair);
            return new PublicationEpoch(pair, region, log);
        } catch (final Throwable ex) {
            final QueuePair made = pair;
            // it is not held yet: the completion queue need not hear of it
            CloseHelper.quietCloseAll(made == null ? null : () -> {
                made.close();
                domain.onDestroyed(made);
            }, region);
            throw ex;
        }
    }

    /**
     * Destroys a queue pair and gives back its room in the completion queue. One that the device does not let go of
     * keeps its domain.
     */
    void destroy(final QueuePair pair, final LinkDomain domain) {
        pair.close();
        domain.onDestroyed(pair);
        completions.onDestroyed(pair);
    }
}
