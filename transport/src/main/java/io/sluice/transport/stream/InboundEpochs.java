package io.sluice.transport.stream;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.receive.EpochReceives;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.ScanModeration;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import org.agrona.CloseHelper;

/**
 * Makes everything that a link of one subscription needs for one epoch: ring, queue pair with its receives posted,
 * connected to the publisher's. Set-up thread, but for {@link #isShared}; has no state. Whoever asks for an epoch owns
 * its parts, and releases them.
 */
final class InboundEpochs {
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private final TransportParameters parameters;
    private final SubscriptionOptions options;
    private final SubscriptionQueues queues;
    private final LinkSetups setups;

    /**
     * Creates the maker of a subscription's epochs.
     *
     * @param parameters with the medium's device.
     * @param options    of the subscription.
     * @param queues     that its queue pairs complete at.
     * @param setups     of all its links: a new link leaves those that resume their room.
     */
    InboundEpochs(
        final TransportParameters parameters,
        final SubscriptionOptions options,
        final SubscriptionQueues queues,
        final LinkSetups setups) {
        this.parameters = parameters;
        this.options = options;
        this.queues = queues;
        this.setups = setups;
    }

    /**
     * Makes an epoch's end. Receives are posted before the queue pair can receive, so that the publisher never lacks
     * one; a device that refuses a step has all the others taken back, and its exception goes to the link.
     *
     * @param domain        of the link.
     * @param request       of the publisher, whose queue pair is connected to.
     * @param workRequestId of the epoch's receives, by which its completions are told from others.
     * @param sharedRing    the log that earlier epochs have mapped, which is used again; null where the ring is to be
     *                      made.
     * @param source        address of the control connection, which the queue pair goes by.
     */
    InboundEpoch make(
        final LinkDomain domain,
        final SetupRequest request,
        final long workRequestId,
        final MemoryRegion sharedRing,
        final SourceAddress source) {
        final CompletionQueue receives = queues.receives().reserve(toResumeBeside(request));
        final CompletionQueue feedbacks = queues.feedbacks().reserve(toResumeBeside(request));
        MemoryRegion ring = sharedRing;
        QueuePair pair = null;
        MemoryRegion staging = null;
        try {
            if (ring == null) {
                ring = makeRing(domain, request);
            }
            final int receiveDepth = options.receiveDepth();
            final int sendDepth = InboundEpoch.SEND_QUEUE_LENGTH;
            pair = DataQueuePairs.create(
                parameters, domain, new QueuePairRoom(feedbacks, receives, sendDepth, receiveDepth), source);
            // before it can have completions, so that the queues never have more than room was made for
            queues.hold(pair);
            if (pair.attributes().maxInlineData() < FeedbackDescriptor.CELL_LENGTH) {
                staging = domain.allocateRegion(
                    (long) sendDepth * FeedbackDescriptor.CELL_LENGTH, AccessFlags.LOCAL_WRITE);
            }
            pair.initialise(ACCESS);
            postReceives(pair, workRequestId, receiveDepth);
            pair.readyToReceive(request.queuePairAddress());
            pair.readyToSend();
            return new InboundEpoch(pair,
                new EpochReceives(workRequestId, receiveDepth, reportInterval(request, receiveDepth)), ring,
                request.feedback(), staging, isMemoryCompletion(request), moderation(request));
        } catch (final Throwable ex) {
            final QueuePair made = pair;
            CloseHelper.quietCloseAll(
                made == null ? null : () -> destroy(made, domain), staging, ring == sharedRing ? null : ring);
            throw ex;
        }
    }

    /** The number of links that resume, for which room is kept that a new one must not take. */
    private int toResumeBeside(final SetupRequest request) {
        return request.resume() ? 0 : setups.toResume();
    }

    private ScanModeration moderation(final SetupRequest request) {
        return new ScanModeration(parameters.environment()::nanoTime,
            options.logs().moderationPeriodNs(), request.log().windowLength());
    }

    private static void postReceives(final QueuePair pair, final long workRequestId, final int receiveDepth) {
        final int result = pair.postReceives(workRequestId, receiveDepth);
        if (result != Errno.OK) {
            throw new VerbsException("ibv_post_recv", result, "receiveDepth=" + receiveDepth);
        }
    }

    /**
     * Destroys a queue pair, if it was not destroyed before, and gives back its room in the completion queues. When the
     * link is over and nothing else is left in its domain, that goes too.
     */
    void destroy(final QueuePair pair, final LinkDomain domain) {
        queues.destroy(pair);
        domain.onDestroyed(pair);
    }

    /**
     * Makes a ring of the window's length, or maps the log in its place. Memory that a peer could write in an epoch is
     * never used in another one (005); the log is the publication's own, and may.
     */
    private MemoryRegion makeRing(final LinkDomain domain, final SetupRequest request) {
        if (!isShared(request)) {
            return domain.allocateRegion(request.log().windowLength(), ACCESS);
        }
        return domain.openShared(request.log().token(), request.log().windowLength(), ACCESS);
    }

    /**
     * {@return whether the ring is the publication's log itself} It is when that was offered, this side wants it, and
     * both are on one host. Any thread.
     */
    boolean isShared(final SetupRequest request) {
        return request.log().isShared() && options.logs().wanted()
            && parameters.device().attributes().sharesMemory();
    }

    /** Whether frames are found by a look at the log, and nothing is written for them: when both sides want it. */
    private boolean isMemoryCompletion(final SetupRequest request) {
        return isShared(request) && request.log().memoryCompletion() && options.logs().memoryCompletion();
    }

    /**
     * The number of receives after which one report is due. The publication never waits for a report that is held back:
     * at most half of what it may have in flight is unreported.
     */
    private static int reportInterval(final SetupRequest request, final int receiveDepth) {
        return Math.max(1, Math.min(receiveDepth / 4, Math.min(request.writesInFlight(), receiveDepth) / 2));
    }
}
