package io.sluice.perf.stress;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.ConcurrentPoster;
import io.sluice.transport.send.LinkStart;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.PeerRing;
import io.sluice.transport.send.SendLimits;
import io.sluice.transport.send.SendLog;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A log that several threads write to, with one link, on which one write may be in flight at a time. The peer's
 * feedback is what the test writes into its cell.
 */
final class SharedPostingLog {
    private static final int FRAME_LENGTH = FrameDescriptor.FRAME_ALIGNMENT;
    private static final int WINDOW_LENGTH = 16 * FRAME_LENGTH;
    private static final int RECEIVE_DEPTH = 1;
    private static final int SIGNAL_INTERVAL = PostRecorder.SEND_QUEUE_LENGTH;

    private final HeapRegion feedbackRegion = new HeapRegion(FeedbackDescriptor.CELL_LENGTH);
    private final UnsafeBuffer feedback = feedbackRegion.buffer();
    private final HeapRegion memory = new HeapRegion(WINDOW_LENGTH);
    private final PostRecorder queuePair;
    private final ConcurrentPoster poster = new ConcurrentPoster(
        new SendLog(memory, 0, 0), EmptyCompletionQueue.INSTANCE, new LiveCounters(), () -> { }, 0);

    /** A peer that drains at once always gives credit in time; else the test calls {@link #drain()}. */
    SharedPostingLog(final boolean drainedAtOnce) {
        queuePair = new PostRecorder(0, drainedAtOnce ? this::drain : () -> { });
        poster.links(new OutboundLink[] {new OutboundLink(new OutboundLinkParameters(
            queuePair, 0, 1, memory, feedbackRegion,
            new PeerRing(new RemoteMemory(0, 0), WINDOW_LENGTH, RECEIVE_DEPTH, true, false),
            new SendLimits(RECEIVE_DEPTH, queuePair.attributes().maxSendWork(), SIGNAL_INTERVAL),
            new LinkStart(0, 0)))});
    }

    /** Offers messages, on a writing thread. */
    void offer(final int count) {
        for (int i = 0; i < count; i++) {
            final int slot = poster.enter();
            if (slot < 0) {
                return;
            }
            final long position = poster.claims().offer(FRAME_LENGTH, WINDOW_LENGTH);
            poster.claims().end(position, FRAME_LENGTH, FrameDescriptor.DATA_TYPE, 0);
            poster.post();
            poster.leave(slot);
        }
    }

    /** Drains what was posted and posts the receives again, as the peer does. */
    void drain() {
        feedback.putLongRelease(FeedbackDescriptor.RECEIVES_POSTED_OFFSET, RECEIVE_DEPTH + queuePair.posts());
    }

    /** Flushes the tail, which is the conductor's duty. */
    void flush() {
        poster.flush();
    }

    /** The number of frames that were not posted exactly once and in order; after all threads have ended. */
    int spoiled(final int offered) {
        return queuePair.violations() + Math.abs(offered - queuePair.unitsPosted());
    }
}
