package io.sluice.transport.stream;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.agent.Services;
import io.sluice.transport.receive.EpochReceives;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.ScanModeration;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import java.util.function.LongConsumer;
import org.agrona.CloseHelper;

/**
 * Makes everything that a subscription's link needs for one epoch: ring, queue pair with its receives posted,
 * connected to the publisher's. Set-up thread; stateless.
 * <pre>
 *   prepare ──→ start ──→ end ──→ prepare of the next epoch
 *      └──→ release ←──────┘
 * </pre>
 * <table>
 *   <caption>The steps of an epoch, and the threads that they run on</caption>
 *   <tr><td>prepare</td><td>all is made, and connected before the publisher is told</td><td>set-up</td></tr>
 *   <tr><td>start</td><td>handed over to whoever polls, before the peer can write</td>
 *     <td>conductor, polling</td></tr>
 *   <tr><td>end</td><td>the queue pair fails, is destroyed, and then what had arrived is taken</td>
 *     <td>conductor, set-up, polling</td></tr>
 *   <tr><td>release</td><td>what nobody refers to any more goes</td><td>conductor, set-up</td></tr>
 * </table>
 */
final class SubscriptionEpochs {
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private SubscriptionEpochs() {
    }

    /**
     * Makes an epoch's end. Set-up thread, as each step may block. Receives are posted before the queue pair can
     * receive, so that the publisher never lacks one; a device that refuses a step has all the others taken back, and
     * its exception goes to the link.
     *
     * @param subscription  that the link is of.
     * @param domain        of the link.
     * @param request       of the publisher, whose queue pair is connected to.
     * @param workRequestId of the epoch's receives, by which its completions are told from others.
     * @param sharedRing    the log that earlier epochs have mapped, which is used again; null where the ring is to be
     *                      made.
     * @param source        address of the control connection, which the queue pair goes by.
     */
    static InboundEpoch prepare(
        final SubscriptionState subscription,
        final LinkDomain domain,
        final SetupRequest request,
        final long workRequestId,
        final MemoryRegion sharedRing,
        final SourceAddress source) {
        final TransportParameters parameters = subscription.medium().parameters();
        final SubscriptionQueues queues = subscription.queues();
        final CompletionQueue receives = queues.receives().reserve(subscription.toResumeBeside(request));
        final CompletionQueue feedbacks = queues.feedbacks().reserve(subscription.toResumeBeside(request));
        MemoryRegion ring = sharedRing;
        QueuePair pair = null;
        MemoryRegion staging = null;
        try {
            if (ring == null) {
                ring = makeRing(subscription, domain, request);
            }
            final int receiveDepth = subscription.options().receiveDepth();
            final int sendDepth = InboundEpoch.SEND_QUEUE_LENGTH;
            pair = DataQueuePairs.create(parameters, domain, feedbacks, receives, sendDepth, receiveDepth, source);
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
                request.feedback(), staging, isMemoryCompletion(subscription, request),
                moderation(subscription, request));
        } catch (final RuntimeException ex) {
            final QueuePair made = pair;
            CloseHelper.quietCloseAll(
                made == null ? null : () -> destroy(made, queues, domain), staging, ring == sharedRing ? null : ring);
            throw ex;
        }
    }

    private static ScanModeration moderation(final SubscriptionState subscription, final SetupRequest request) {
        return new ScanModeration(subscription.medium().parameters().environment()::nanoTime,
            subscription.options().logs().moderationPeriodNs(), request.log().windowLength());
    }

    private static void postReceives(final QueuePair pair, final long workRequestId, final int receiveDepth) {
        final int result = pair.postReceives(workRequestId, receiveDepth);
        if (result != Errno.OK) {
            throw new VerbsException("ibv_post_recv", result, "receiveDepth=" + receiveDepth);
        }
    }

    /**
     * Destroys a queue pair and gives back its room in the completion queues. When the link is over and nothing else is
     * left in its domain, that goes too.
     */
    private static void destroy(final QueuePair pair, final SubscriptionQueues queues, final LinkDomain domain) {
        queues.destroy(pair);
        domain.onDestroyed(pair);
    }

    /** Destroys the queue pair of an epoch, if it was not destroyed before. Set-up thread. */
    static void destroy(final InboundEpoch epoch, final LinkDomain domain, final SubscriptionState subscription) {
        destroy(epoch.queuePair(), subscription.queues(), domain);
    }

    /**
     * Makes a ring of the window's length, or maps the log in its place. Memory that a peer could write in an epoch is
     * never used in another one (005); the log is the publication's own, and may.
     */
    private static MemoryRegion makeRing(
        final SubscriptionState subscription, final LinkDomain domain, final SetupRequest request) {
        if (!isShared(subscription, request)) {
            return domain.allocateRegion(request.log().windowLength(), ACCESS);
        }
        return domain.openShared(request.log().token(), request.log().windowLength(), ACCESS);
    }

    /**
     * Whether the ring is the publication's log itself: when that was offered, this side wants it, and both are on one
     * host.
     */
    static boolean isShared(final SubscriptionState subscription, final SetupRequest request) {
        return request.log().isShared() && subscription.options().logs().wanted()
            && subscription.medium().parameters().device().attributes().sharesMemory();
    }

    /** Whether frames are found by a look at the log, and nothing is written for them: when both sides want it. */
    private static boolean isMemoryCompletion(final SubscriptionState subscription, final SetupRequest request) {
        return isShared(subscription, request) && request.log().memoryCompletion()
            && subscription.options().logs().memoryCompletion();
    }

    /**
     * The publication never waits for a report that is held back: at most half of what it may have in flight is
     * unreported.
     */
    private static int reportInterval(final SetupRequest request, final int receiveDepth) {
        return Math.max(1, Math.min(receiveDepth / 4, Math.min(request.writesInFlight(), receiveDepth) / 2));
    }

    /**
     * Hand an epoch to the polling thread: the first one, or the next one of a quiescent link. Conductor.
     *
     * @param previous epoch of the link, or null.
     * @param replaced takes the ring of the one before when that was another one.
     */
    static void start(
        final InboundEpoch prepared,
        final InboundEpoch previous,
        final SubscriptionState subscription,
        final InboundLink inbound,
        final ReplacedRings replaced) {
        final Services services = subscription.services();
        if (previous != null) {
            if (previous.ring() != prepared.ring()) {
                // from now on the link's current ring is the new one, but consumers still read this one
                replaced.leave(previous.ring());
            }
            subscription.receiver().commands().resume(inbound, prepared, (ring, consumedPosition) ->
                services.tasks().execute(() -> replaced.add(ring, consumedPosition)));
        } else {
            subscription.receiver().commands().attach(inbound, prepared);
        }
    }

    /**
     * End a broken epoch: its queue pair is destroyed first, then the polling thread takes what has arrived before. Up
     * to then that thread may put feedback into the epoch's staging. Conductor.
     *
     * @param quiescent told on the polling thread of the received position.
     * @param failed    told on the conductor when the queue pair cannot be destroyed: it is never quiescent then, and
     *                  its staging is released with the link.
     */
    static void end(
        final InboundEpoch broken,
        final SubscriptionState subscription,
        final LinkDomain domain,
        final InboundLink inbound,
        final LongConsumer quiescent,
        final Runnable failed) {
        final Services services = subscription.services();
        final QueuePair pair = broken.queuePair();
        pair.fail();
        services.tasks().setUp(() -> {
            destroy(broken, domain, subscription);
            subscription.receiver().commands().quiesce(inbound, received -> {
                services.tasks().execute(() -> services.tasks().release(broken.staging()));
                quiescent.accept(received);
            });
        }, error -> {
            services.failures().report(ErrorKind.LINK_FAILED,
                "broken link of streamId=" + subscription.streamId() + " channel=" + subscription.channel(), error);
            failed.run();
        });
    }

    /** Releases what was made for nothing, if anything was; not what the link has beside it. */
    static void release(
        final InboundEpoch prepared,
        final InboundEpoch current,
        final LinkDomain domain,
        final SubscriptionState subscription) {
        if (prepared == null) {
            return;
        }
        final Services services = subscription.services();
        services.tasks().release(() -> destroy(prepared, domain, subscription));
        services.tasks().release(prepared.staging());
        if (current == null || prepared.ring() != current.ring()) {
            services.tasks().release(prepared.ring());
        }
    }
}
