package io.sluice.perf.stress;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.ExclusivePoster;
import io.sluice.transport.send.LinkStart;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.PeerRing;
import io.sluice.transport.send.SendLimits;
import io.sluice.transport.send.SendLog;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A log with one link, on which one write may be in flight at a time: so the writing thread soon leaves a tail to the
 * conductor and takes it back. The peer's feedback is what the test writes into its cell.
 */
final class PostingLog {
    private static final int FRAME_LENGTH = FrameDescriptor.FRAME_ALIGNMENT;
    private static final int MESSAGE_LENGTH = FRAME_LENGTH - FrameDescriptor.HEADER_LENGTH;
    private static final int WINDOW_LENGTH = 16 * FRAME_LENGTH;
    private static final int RECEIVE_DEPTH = 1;
    private static final int SIGNAL_INTERVAL = PostRecorder.SEND_QUEUE_LENGTH;
    /** Looks at a token that the writing thread does not leave, so that the actor ends by itself. */
    private static final int LOOKS = 1000;

    private final HeapRegion feedbackRegion = new HeapRegion(FeedbackDescriptor.CELL_LENGTH);
    private final UnsafeBuffer feedback = feedbackRegion.buffer();
    private final HeapRegion memory = new HeapRegion(WINDOW_LENGTH);
    private final SendLog log = new SendLog(memory, 0, 0);
    private final PostRecorder queuePair;
    /** Wakes of the conductor, by the writing thread. */
    private int wakes;
    private final ExclusivePoster poster =
        new ExclusivePoster(log, EmptyCompletionQueue.INSTANCE, new LiveCounters(), () -> wakes++);

    /** A peer that drains at once always gives credit in time; else the test calls {@link #drain()}. */
    PostingLog(final boolean drainedAtOnce) {
        queuePair = new PostRecorder(0, drainedAtOnce ? this::drain : () -> { });
        poster.links(new OutboundLink[] {new OutboundLink(new OutboundLinkParameters(
            queuePair, 0, 1, memory, feedbackRegion,
            new PeerRing(new RemoteMemory(0, 0), WINDOW_LENGTH, RECEIVE_DEPTH, true, false),
            new SendLimits(RECEIVE_DEPTH, queuePair.attributes().maxSendWork(), SIGNAL_INTERVAL),
            new LinkStart(0, 0)))});
    }

    /** Offers messages, on the writing thread; the first finds credit. */
    void offer(final int count) {
        for (int i = 0; i < count; i++) {
            if (!poster.enter()) {
                return;
            }
            final long position = log.claim(FRAME_LENGTH, WINDOW_LENGTH);
            log.commit(position, FrameDescriptor.frameLength(MESSAGE_LENGTH), FrameDescriptor.DATA_TYPE, 0);
            poster.post();
            poster.leave();
        }
    }

    /** Drains what was posted and posts the receives again, as the peer does. */
    void drain() {
        feedback.putLongRelease(FeedbackDescriptor.RECEIVES_POSTED_OFFSET, RECEIVE_DEPTH + queuePair.posts());
    }

    /** The conductor's duty: it comes back soon when this is true. */
    boolean flush() {
        return poster.flush();
    }

    /** The writing thread: how often it has woken the conductor. */
    int wakes() {
        return wakes;
    }

    /** Asks for the token, as the conductor does before it replaces links, and posts once it has it. */
    void takeToken() {
        poster.requestToken();
        SystemEnvironment.instance().fenceAllThreads();
        poster.onFenced();
        for (int i = 0; i < LOOKS && !poster.isSettled(); i++) {
            Thread.onSpinWait();
        }
        poster.flush();
        poster.flush();
    }

    /** The number of frames that were posted; after both threads have ended. */
    int unitsPosted() {
        return queuePair.unitsPosted();
    }

    /**
     * The number of frames that the conductor does not get posted exactly once and in order; after both threads have
     * ended.
     */
    int spoiled(final int offered) {
        drain();
        // at the first look the writing thread may just have come by; if not at the second, the tail is taken over
        poster.flush();
        poster.flush();
        return queuePair.violations() + Math.abs(offered - queuePair.unitsPosted());
    }
}
