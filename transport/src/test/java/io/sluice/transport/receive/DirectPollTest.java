package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The walk of a poll over one link: which messages its view is handed, and which positions move. */
class DirectPollTest implements ReceiverListener, MessageView {
    private static final int WINDOW = 4096;
    private static final int FRAME = 64;
    private static final long JOIN = WINDOW - 2L * FRAME;
    private static final int ALL = Integer.MAX_VALUE;
    private static final long ID = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, 1);

    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final Receiver receiver =
        new Receiver(completions, new StubCompletionQueue(), this, new LiveCounters(), () -> 0);
    private final List<Throwable> errors = new ArrayList<>();
    private final DirectPoll poll = new DirectPoll(
        receiver, MessageTimes.withoutLatency(() -> EventSlot.NO_TIMESTAMP), errors::add);
    private final StubRegion region = new StubRegion(WINDOW);
    private final SendLog log = new SendLog(region, JOIN, 0);
    private final InboundLink link = new InboundLink(WINDOW, JOIN, 1, 0);
    private final List<BreakReason> failures = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private final List<Long> consumed = new ArrayList<>();
    private final List<Long> overwritten = new ArrayList<>();
    private final Queue<NextStep> steps = new ArrayDeque<>();
    private RuntimeException thrown;
    private boolean closed;
    /** The wish that the publication goes a lap on without this link while the handler runs. */
    private boolean isWrittenOver;

    @Override
    public long stampDistanceNs() {
        return 0;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public NextStep onMessage(
        final UnsafeBuffer ring, final int frameOffset, final long lengthWord, final long endPosition) {
        ends.add(endPosition);
        consumed.add(link.positions().consumed());
        if (isWrittenOver) {
            ring.putLong(frameOffset + FrameDescriptor.LAP_WORD_OFFSET, 0);
        }
        if (thrown != null) {
            throw thrown;
        }
        return steps.isEmpty() ? NextStep.CONTINUE : steps.remove();
    }

    @Override
    public NextStep onEvent(final EventSlot event) {
        throw new AssertionError("there is no ring");
    }

    @Override
    public void onPolled(final long position) {
        throw new AssertionError("there is no ring");
    }

    @Override
    public void onOverwritten(final long framePosition) {
        overwritten.add(framePosition);
    }

    @Override
    public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
        failures.add(reason);
    }

    @Override
    public void onEndReceived(final InboundLink ended) {
    }

    @Override
    public void onEndConsumed(final InboundLink ended) {
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
    }

    @BeforeEach
    void join() {
        receiver.commands().attach(link, new InboundEpoch(
            new StubQueuePair(8, FeedbackDescriptor.CELL_LENGTH), new EpochReceives(ID, 64, 1), region,
            new RemoteMemory(0, 7), null, false, ScanModeration.NONE));
        receiver.commands().join(link, JOIN, () -> failures.add(null));
        link.view(this);
    }

    private void send(final int frames, final int type) {
        for (int i = 0; i < frames; i++) {
            log.commit(log.claim(FRAME, Long.MAX_VALUE), FRAME - 4, type, i);
        }
        completions.add(ID, WorkStatus.SUCCESS, ImmediatePosition.immediate(log.tail()));
    }

    private static List<Long> endsOf(final int... frames) {
        final List<Long> positions = new ArrayList<>();
        for (final int frame : frames) {
            positions.add(JOIN + (long) frame * FRAME);
        }
        return positions;
    }

    @Test
    void shouldHandEachMessageOutOnceAndPassOverPadding() {
        send(2, FrameDescriptor.DATA_TYPE);
        send(3, FrameDescriptor.PADDING_TYPE);
        send(1, FrameDescriptor.DATA_TYPE);
        assertEquals(3, poll.pollAll(ALL));
        assertEquals(endsOf(1, 2, 6), ends);
        assertEquals(JOIN + 6 * FRAME, link.positions().consumed());
        assertEquals(0, poll.pollAll(ALL));
    }

    @Test
    void shouldStopAtTheLimitAndGoOnThere() {
        send(3, FrameDescriptor.DATA_TYPE);
        assertEquals(2, poll.pollAll(2));
        assertEquals(JOIN + 2 * FRAME, link.positions().consumed());
        assertEquals(1, poll.pollAll(2));
        assertEquals(endsOf(1, 2, 3), ends);
    }

    @Test
    void shouldHandAnAbortedMessageOutAgain() {
        steps.addAll(List.of(NextStep.CONTINUE, NextStep.ABORT));
        send(3, FrameDescriptor.DATA_TYPE);
        assertEquals(1, poll.pollAll(ALL));
        assertEquals(JOIN + FRAME, link.positions().consumed());
        assertEquals(2, poll.pollAll(ALL));
        assertEquals(endsOf(1, 2, 2, 3), ends);
    }

    @Test
    void shouldCountACommittedMessageAsConsumedBeforeTheNextOne() {
        steps.addAll(List.of(NextStep.COMMIT, NextStep.CONTINUE, NextStep.BREAK));
        send(4, FrameDescriptor.DATA_TYPE);
        assertEquals(3, poll.pollAll(ALL));
        assertEquals(endsOf(0, 1, 1), consumed);
        assertEquals(JOIN + 3 * FRAME, link.positions().consumed());
    }

    @Test
    void shouldCountAMessageWhoseHandlerThrewAsConsumed() {
        thrown = new IllegalStateException("handler");
        send(2, FrameDescriptor.DATA_TYPE);
        assertEquals(1, poll.pollAll(ALL));
        assertEquals(List.of(thrown), errors);
        assertEquals(JOIN + FRAME, link.positions().consumed());
    }

    @Test
    void shouldEndTheLinkBeforeAMalformedFrame() {
        send(2, FrameDescriptor.DATA_TYPE);
        final int second = log.offset(JOIN + FRAME);
        log.buffer().putLong(second + FrameDescriptor.LENGTH_OFFSET, 7);
        assertEquals(1, poll.pollAll(ALL));
        assertEquals(List.of(BreakReason.BAD_FRAME), failures);
        assertEquals(JOIN + FRAME, link.positions().received());
        assertEquals(JOIN + FRAME, link.positions().consumed());
        assertEquals(0, poll.pollAll(ALL));
        assertEquals(endsOf(1), ends);
    }

    @Test
    void shouldEndTheLinkAfterAMessageThatWasWrittenOverUnderItsHandler() {
        send(2, FrameDescriptor.DATA_TYPE);
        isWrittenOver = true;
        assertEquals(1, poll.pollAll(ALL));
        assertEquals(List.of(BreakReason.BAD_FRAME), failures);
        assertEquals(List.of(JOIN), overwritten);
        assertEquals(JOIN + FRAME, link.positions().received());
    }

    @Test
    void shouldHandNothingToAClosedView() {
        closed = true;
        send(1, FrameDescriptor.DATA_TYPE);
        assertEquals(0, poll.pollAll(ALL));
        assertEquals(0, poll.poll(link, this, ALL));
        assertEquals(JOIN, link.positions().consumed());
    }

    private void stamp(final long position, final long offeredNs) {
        final int offset = link.reader().offset(position);
        region.buffer().putLong(offset, FrameDescriptor.lengthWord(
            FRAME - 4, FrameDescriptor.TIMESTAMP_FLAG, FrameDescriptor.DATA_TYPE));
        region.buffer().putLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET, offeredNs);
    }

    @Test
    void shouldMeasureWhenAPollBeginsAndWhenEachMessageIsHandled() {
        final long[] nowNs = {1_000};
        final MessageTimes times = MessageTimes.withLatency(() -> EventSlot.NO_TIMESTAMP, () -> nowNs[0] += 200);
        final DirectPoll measuring = new DirectPoll(receiver, times, errors::add);
        send(3, FrameDescriptor.DATA_TYPE);
        stamp(JOIN, 900);
        stamp(JOIN + 2 * FRAME, 900);
        // the second is aborted, and comes again in a poll of its own
        steps.add(NextStep.CONTINUE);
        steps.add(NextStep.ABORT);
        final long beginNs = nowNs[0];
        assertEquals(1, measuring.pollAll(ALL));
        final LatencyHistogram arrived = times.histograms().getFirst();
        final LatencyHistogram handled = times.histograms().getLast();
        assertEquals("poll", handled.consumer());
        assertEquals(1, arrived.count(LatencyBuckets.indexOf(beginNs + 200 - 900)));
        assertEquals(1, handled.count(LatencyBuckets.indexOf(beginNs + 400 - 900)));
        steps.add(NextStep.CONTINUE);
        steps.add(NextStep.ABORT);
        assertEquals(1, measuring.pollAll(ALL));
        assertEquals(1, measuring.pollAll(ALL));
        assertEquals(endsOf(1, 2, 2, 3, 3), ends);
        assertEquals(2, messages(arrived));
        assertEquals(2, messages(handled));
    }

    private static long messages(final LatencyHistogram histogram) {
        long messages = 0;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            messages += histogram.count(i);
        }
        return messages;
    }
}
