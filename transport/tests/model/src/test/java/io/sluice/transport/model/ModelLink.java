package io.sluice.transport.model;

import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.receive.EpochReceives;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.receive.ReceiverListener;
import io.sluice.transport.receive.ScanModeration;
import io.sluice.transport.send.ExclusivePoster;
import io.sluice.transport.send.LinkStart;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.PeerRing;
import io.sluice.transport.send.SendLimits;
import io.sluice.transport.send.SendLog;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/**
 * A link with both its ends on one device, and of the conductor only what makes, breaks and resumes it. One thread.
 */
final class ModelLink implements ReceiverListener, AutoCloseable {
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    private static final int FEEDBACK_LENGTH = 16;
    private static final int QUEUE_CAPACITY = 64;
    private static final int INDEX = 3;
    private static final long FRAME_KEY = 0x5EED_1234_8765_4321L;

    private final RdmaDevice device;
    private final Bounds bounds;
    private final ProtectionDomain domain;
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final CompletionQueue feedbackCompletions;
    private final MemoryRegion logRegion;
    private final SendLog log;
    private final ExclusivePoster poster;
    private final Receiver receiver;
    private final InboundLink inbound;
    private OutboundLink outbound;
    private QueuePair outboundPair;
    private QueuePair inboundPair;
    private MemoryRegion feedbackRegion;
    private MemoryRegion ring;
    /** Several, when a link breaks again before the receiver has begun the epoch before. */
    private final List<OldRing> oldRings = new ArrayList<>();
    private BreakReason inboundFailure;
    private int epoch;
    private int resumptions;
    private long nowNs;

    ModelLink(final RdmaDevice device, final Bounds bounds) {
        this.device = device;
        this.bounds = bounds;
        domain = device.allocateProtectionDomain();
        sendCompletions = queue(0);
        receiveCompletions = queue(CompletionField.IMMEDIATE);
        feedbackCompletions = queue(0);
        logRegion = domain.allocateRegion(bounds.windowLength(), AccessFlags.LOCAL_WRITE);
        log = new SendLog(logRegion, bounds.startPosition(), FRAME_KEY);
        final LiveCounters counters = new LiveCounters();
        poster = new ExclusivePoster(log, sendCompletions, counters, () -> { });
        receiver = new Receiver(receiveCompletions, feedbackCompletions, this, counters, this::later);
        inbound = new InboundLink(bounds.windowLength(), bounds.startPosition(), bounds.signalInterval(), FRAME_KEY);
        connect(OutboundLink.UNSET);
        outbound.join(log.tail());
        receiver.commands().join(inbound, outbound.joinPosition(), () -> {
            throw new AssertionError("the join was refused");
        });
        receiver.drain();
    }

    /** A clock that goes on by more than an idle poller waits, whenever it is looked at. */
    private long later() {
        return nowNs += TimeUnit.MILLISECONDS.toNanos(1);
    }

    private CompletionQueue queue(final int fields) {
        return device.createCompletionQueue(new CompletionQueueAttributes(QUEUE_CAPACITY, fields, null));
    }

    private QueuePair pair(
        final CompletionQueue sends, final CompletionQueue receives, final int sendDepth, final int receiveDepth) {
        final QueuePair pair = domain.createQueuePair(
            new QueuePairAttributes(sends, receives, sendDepth, receiveDepth, FEEDBACK_LENGTH, 0, 12, 6, 14));
        pair.initialise(ACCESS);
        return pair;
    }

    /** Make an epoch, as the two conductors do together. */
    private void connect(final long resumePosition) {
        epoch++;
        outboundPair = pair(sendCompletions, sendCompletions, bounds.sendQueueLength(), 1);
        inboundPair =
            pair(feedbackCompletions, receiveCompletions, bounds.feedbackQueueLength(), bounds.receiveDepth());
        final MemoryRegion newFeedback = domain.allocateRegion(4096, ACCESS);
        final boolean isNewRing = ring == null || !bounds.sharedLog();
        final MemoryRegion newRing = isNewRing ? makeRing() : ring;
        final long receiveId = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, INDEX, epoch);
        if (inboundPair.postReceives(receiveId, bounds.receiveDepth()) != Errno.OK) {
            throw new AssertionError("receives refused");
        }
        inboundPair.readyToReceive(outboundPair.localAddress());
        inboundPair.readyToSend();
        final InboundEpoch inboundEpoch = new InboundEpoch(
            inboundPair, new EpochReceives(receiveId, bounds.receiveDepth(), bounds.reportInterval()), newRing,
            new RemoteMemory(newFeedback.address(), newFeedback.remoteKey()), null, bounds.memoryCompletion(),
            ScanModeration.NONE);
        if (ring == null) {
            receiver.commands().attach(inbound, inboundEpoch);
        } else {
            receiver.commands().resume(inbound, inboundEpoch, this::onRingReleased);
            receiver.commands().establish(inbound);
        }
        outboundPair.readyToReceive(inboundPair.localAddress());
        outboundPair.readyToSend();
        ring = newRing;
        replaceOutbound(newFeedback, resumePosition);
    }

    private MemoryRegion makeRing() {
        return bounds.sharedLog()
            ? domain.openShared(logRegion.shareToken(), bounds.windowLength(), ACCESS)
            : domain.allocateRegion(bounds.windowLength(), ACCESS);
    }

    private void onRingReleased(final MemoryRegion released, final long consumedPosition) {
        oldRings.add(new OldRing(released, consumedPosition));
    }

    private void replaceOutbound(final MemoryRegion newFeedback, final long resumePosition) {
        final long consumed = outbound == null ? 0 : outbound.consumedPosition();
        outbound = new OutboundLink(new OutboundLinkParameters(
            outboundPair, INDEX, epoch, logRegion, newFeedback,
            new PeerRing(new RemoteMemory(ring.address(), ring.remoteKey()), bounds.windowLength(),
                bounds.receiveDepth(), bounds.sharedLog(), bounds.memoryCompletion()),
            new SendLimits(bounds.writesInFlight(), outboundPair.attributes().maxSendWork(), bounds.signalInterval()),
            new LinkStart(resumePosition, consumed)));
        poster.links(new OutboundLink[] {outbound});
        poster.requestToken();
        poster.onFenced();
        if (!poster.isSettled()) {
            throw new AssertionError("nobody is inside");
        }
        CloseHelper.close(feedbackRegion);
        feedbackRegion = newFeedback;
    }

    boolean isMemoryCompletion() {
        return bounds.memoryCompletion();
    }

    /** Whether either end has noticed that the epoch is over. */
    boolean isBroken() {
        return outbound.breakReason() != null || inboundFailure != null
            || outboundPair.state() == QueuePairState.ERROR || inboundPair.state() == QueuePairState.ERROR;
    }

    /** Whether what broke the link was not a fault of the device: the two ends misunderstood each other. */
    boolean isMisunderstood() {
        return inboundFailure != null && inboundFailure.isFatal()
            || outbound.breakReason() != null && outbound.breakReason().isFatal();
    }

    String failure() {
        return "outbound=" + outbound.breakReason() + " inbound=" + inboundFailure;
    }

    /** Break the link as when a cable is pulled, on one side or the other. */
    void pull(final boolean isOutbound) {
        (isOutbound ? outboundPair : inboundPair).fail();
    }

    /** Quiesce, and resume at the received position. */
    void resume() {
        outbound.fail(BreakReason.QUEUE_PAIR_ERROR);
        CloseHelper.closeAll(outboundPair, inboundPair);
        final long[] received = {OutboundLink.UNSET};
        receiver.commands().quiesce(inbound, position -> received[0] = position);
        receiver.drain();
        inboundFailure = null;
        connect(received[0]);
        resumptions++;
    }

    int resumptions() {
        return resumptions;
    }

    /** The consumers have passed a position: a replaced ring goes when nobody can read it any more. */
    void releaseOldRings() {
        oldRings.removeIf(old -> {
            final boolean isPassed = inbound.positions().consumed() >= old.neededUpTo;
            if (isPassed) {
                CloseHelper.close(old.region);
            }
            return isPassed;
        });
    }

    /** Whether consumers still read a ring that was replaced. */
    boolean hasOldRing() {
        return !oldRings.isEmpty();
    }

    SendLog log() {
        return log;
    }

    ExclusivePoster poster() {
        return poster;
    }

    Receiver receiver() {
        return receiver;
    }

    InboundLink inbound() {
        return inbound;
    }

    OutboundLink outbound() {
        return outbound;
    }

    @Override
    public void onLinkFailed(final InboundLink link, final BreakReason reason) {
        inboundFailure = reason;
    }

    @Override
    public void onEndReceived(final InboundLink link) {
        throw new AssertionError("nobody has announced an end");
    }

    @Override
    public void onEndConsumed(final InboundLink link) {
        throw new AssertionError("nobody has announced an end");
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
        throw new AssertionError("a completion queue died: " + Errno.describe(errno));
    }

    @Override
    public void close() {
        // the last step may have resumed the link: only then does the receiver let go of the ring before
        receiver.drainCommands();
        CloseHelper.closeAll(
            outboundPair, inboundPair, feedbackRegion, ring, logRegion, sendCompletions, receiveCompletions,
            feedbackCompletions);
        oldRings.forEach(old -> CloseHelper.close(old.region));
        CloseHelper.close(domain);
    }

    /**
     * A ring that was replaced, and the position up to which consumers read it.
     */
    private record OldRing(MemoryRegion region, long neededUpTo) {
    }
}
