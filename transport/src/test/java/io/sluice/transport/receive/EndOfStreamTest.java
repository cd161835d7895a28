package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import org.agrona.LangUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases in which the end of a stream counts, and those in which it does not: memory is released by it. */
class EndOfStreamTest {
    private static final int WINDOW_LENGTH = 4096;
    private static final int FRAME_LENGTH = 64;
    private static final long WORK_REQUEST_ID = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, 1);

    private final List<String> news = new ArrayList<>();
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final StubRegion ring = new StubRegion(WINDOW_LENGTH);
    private final InboundLink link = new InboundLink(WINDOW_LENGTH, 0, 1, 0);
    private final LiveCounters counters = new LiveCounters();
    private final Receiver receiver =
        new Receiver(completions, new StubCompletionQueue(), new News(), counters, () -> 0);
    private final EventRing events = new EventRing(
        receiver, 8, MessageTimes.withoutLatency(() -> EventSlot.NO_TIMESTAMP));
    private final Poller poller = new Poller(0, Poller.NO_CPU, LangUtil::rethrowUnchecked, notice -> { });

    @BeforeEach
    void attach() {
        poller.add(events);
        receiver.commands().attach(link, new InboundEpoch(
            new StubQueuePair(8, 16), new EpochReceives(WORK_REQUEST_ID, 16, 4), ring, new RemoteMemory(0, 0),
            null, false, ScanModeration.NONE));
        receiver.commands().join(link, 0, () -> news.add("join refused"));
        link.view(new UnusedView());
        writeFrame(0);
        writeFrame(FRAME_LENGTH);
        completions.add(WORK_REQUEST_ID, WorkStatus.SUCCESS, ImmediatePosition.immediate(2 * FRAME_LENGTH));
        poller.doWork();
        assertEquals(2 * FRAME_LENGTH, link.positions().walked());
    }

    @Test
    void shouldBreakALinkWhoseEndLiesBeforeWhatHasArrived() {
        receiver.commands().end(link, 0, () -> news.add("end accepted"));
        poller.doWork();

        assertEquals(List.of("failed BAD_POSITION"), news);
        assertFalse(link.isLive());
        assertEquals(1, counters.get(TransportCounter.POSITIONS_REJECTED));
    }

    @Test
    void shouldNotEndBeforeTheConsumersHavePassedTheLastEvent() {
        receiver.commands().end(link, 2 * FRAME_LENGTH, () -> news.add("end accepted"));
        poller.doWork();
        assertEquals(List.of("end accepted", "end received"), news);

        events.consumerSequence().set(0);
        poller.doWork();
        assertEquals(List.of("end accepted", "end received"), news);

        events.consumerSequence().set(1);
        poller.doWork();
        assertEquals(List.of("end accepted", "end received", "end consumed"), news);
    }

    @Test
    void shouldEndARunThatWasGivenUpWhereItsUnreadBytesWereOverwritten() {
        completions.add(WORK_REQUEST_ID, WorkStatus.SUCCESS, ImmediatePosition.immediate(3 * FRAME_LENGTH));
        receiver.drain();
        receiver.commands().endAtReceived(link);
        poller.doWork();
        assertEquals(List.of("end received"), news);

        events.consumerSequence().set(1);
        poller.doWork();
        assertEquals(2 * FRAME_LENGTH, link.positions().consumed());
        assertEquals(List.of("end received", "end consumed"), news);
    }

    private void writeFrame(final int position) {
        ring.buffer().putLong(position + FrameDescriptor.LAP_WORD_OFFSET, FrameDescriptor.lapAndChecksumWord(
            position, FrameDescriptor.NO_CHECKSUM, 0));
        ring.buffer().putLong(position, FrameDescriptor.lengthWord(FRAME_LENGTH, 0, FrameDescriptor.DATA_TYPE));
    }

    private final class News implements ReceiverListener {
        @Override
        public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
            news.add("failed " + reason);
        }

        @Override
        public void onEndReceived(final InboundLink ended) {
            news.add("end received");
        }

        @Override
        public void onEndConsumed(final InboundLink ended) {
            news.add("end consumed");
        }

        @Override
        public void onCompletionQueueFailed(final int errno) {
            news.add("queue failed");
        }
    }
}
