package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiverTest implements ReceiverListener {
    private static final int WINDOW = 4096;
    private static final int INDEX = 2;
    private static final int DEAD = 5;
    /** Enough that the clock is looked at, whenever it was before. */
    private static final int IDLE_POLLS = 1_000;

    private final List<String> events = new ArrayList<>();
    private long nowNs;
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final StubCompletionQueue feedbackCompletions = new StubCompletionQueue();
    private final LiveCounters counters = new LiveCounters();
    private final Receiver receiver = new Receiver(completions, feedbackCompletions, this, counters, () -> nowNs);
    private final StubQueuePair queuePair = new StubQueuePair(1, FeedbackDescriptor.CELL_LENGTH);
    private final InboundLink link = new InboundLink(WINDOW, 0, 1, 0);

    @Override
    public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
        events.add("failed " + reason);
    }

    @Override
    public void onEndReceived(final InboundLink ended) {
        events.add("end received");
    }

    @Override
    public void onEndConsumed(final InboundLink ended) {
        events.add("end consumed");
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
        events.add("queue failed " + errno);
    }

    private static long receiveId(final int generation) {
        return WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, INDEX, generation);
    }

    private InboundEpoch epoch(final int generation, final StubRegion ring) {
        return new InboundEpoch(
            queuePair, new EpochReceives(receiveId(generation), 8, 2), ring, new RemoteMemory(77_000, 7), null,
            false, ScanModeration.NONE);
    }

    private void attach() {
        receiver.commands().attach(link, epoch(1, new StubRegion(WINDOW)));
        receiver.commands().join(link, 0, () -> events.add("refused"));
    }

    private void write(final int generation, final long position) {
        completions.add(receiveId(generation), WorkStatus.SUCCESS, ImmediatePosition.immediate(position));
    }

    private long count(final TransportCounter counter) {
        return counters.get(counter);
    }

    @Test
    void shouldTellEachLinkUpToWhereItsBytesAreThere() {
        attach();
        write(1, 64);
        write(1, 320);
        assertTrue(receiver.drain() >= 2);
        assertEquals(320, link.positions().received());
        assertEquals(0, completions.waiting());
        assertEquals(List.of(), events);
    }

    @Test
    void shouldFindAQueueNearlyFullThoughItsBatchesAreShort() {
        completions.bound(40, 16);
        final Receiver bounded = new Receiver(completions, feedbackCompletions, this, counters, () -> nowNs);
        bounded.commands().attach(link, epoch(1, new StubRegion(WINDOW)));
        for (int i = 1; i < 30; i++) {
            write(1, i * 32L);
        }
        bounded.drain();
        assertEquals(0, completions.waiting());
        assertEquals(0, bounded.drainWatch().nearlyFullDrains());

        for (int i = 30; i < 60; i++) {
            write(1, i * 32L);
        }
        bounded.drain();

        assertEquals(0, completions.waiting());
        assertEquals(1, bounded.drainWatch().nearlyFullDrains());
        assertEquals(59 * 32, link.positions().received());
    }

    /** The conductor queues the attachment before the peer may write; the poll may see the write first. */
    @Test
    void shouldTakeACompletionThatIsQuickerThanTheAttachment() {
        final Receiver[] late = new Receiver[1];
        final StubCompletionQueue queue = new StubCompletionQueue() {
            @Override
            public long workRequestId() {
                late[0].commands().attach(link, epoch(1, new StubRegion(WINDOW)));
                return super.workRequestId();
            }
        };
        late[0] = new Receiver(queue, feedbackCompletions, this, counters, () -> nowNs);
        queue.add(receiveId(1), WorkStatus.SUCCESS, ImmediatePosition.immediate(64));
        late[0].drain();
        assertEquals(64, link.positions().received());
        assertEquals(0, count(TransportCounter.STALE_COMPLETIONS));
    }

    /** Within a batch another queue's poll would wait on some devices for its end. */
    @Test
    void shouldRunCommandsWhenTheBatchIsOver() {
        final Receiver[] late = new Receiver[1];
        final StubCompletionQueue queue = new StubCompletionQueue() {
            @Override
            public long workRequestId() {
                if (events.isEmpty()) {
                    events.add("asked");
                    late[0].commands().drainFeedbacks(() -> events.add("drained"));
                    late[0].commands().attach(link, epoch(1, new StubRegion(WINDOW)));
                }
                return super.workRequestId();
            }
        };
        late[0] = new Receiver(queue, feedbackCompletions, this, counters, () -> nowNs);
        queue.add(receiveId(1), WorkStatus.SUCCESS, ImmediatePosition.immediate(64));
        queue.add(receiveId(1), WorkStatus.SUCCESS, ImmediatePosition.immediate(96));
        late[0].drain();
        assertEquals(List.of("asked", "drained"), events);
        late[0].drain();
        assertEquals(96, link.positions().received());
        assertEquals(0, count(TransportCounter.STALE_COMPLETIONS));
    }

    @Test
    void shouldReapFeedbackAgainWhenTheDeviceHasKeptPollsOut() {
        feedbackCompletions.whenEmpty(Errno.EBUSY);
        receiver.commands().drainFeedbacks(() -> events.add("drained"));
        receiver.drain();
        assertEquals(List.of(), events);
        feedbackCompletions.whenEmpty(Errno.ENOENT);
        receiver.drain();
        assertEquals(List.of("drained"), events);
    }

    @Test
    void shouldDropAndCountWhatBelongsToNoLinkOrAnEarlierEpoch() {
        attach();
        write(7, 64);
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 1000, 1), WorkStatus.SUCCESS, 5);
        final int last = WorkRequestId.MAX_INDEX;
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, last, 1), WorkStatus.SUCCESS, 5);
        completions.add(0, WorkStatus.LOC_PROT_ERR, 0);
        receiver.drain();
        assertEquals(4, count(TransportCounter.STALE_COMPLETIONS));
        assertEquals(0, link.positions().received());
        assertEquals(List.of(), events);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 10, 13, 23, 99})
    void shouldBreakALinkWhoseCompletionFailed(final int status) {
        attach();
        write(1, 64);
        completions.add(receiveId(1), status, 0);
        completions.add(receiveId(1), status, 0);
        write(1, 96);
        receiver.drain();
        assertEquals(List.of("failed COMPLETION_ERROR"), events);
        assertEquals(64, link.positions().received());
        assertFalse(link.isLive());
        assertEquals(status == WorkStatus.WR_FLUSH_ERR ? 1 : 2, count(TransportCounter.STALE_COMPLETIONS),
            "what came after is of an epoch that is over");
    }

    /** A publication that has closed takes its queue pair away, which flushes all receives that are posted. */
    @Test
    void shouldNotCountWhatAQueuePairFlushesAtItsEnd() {
        attach();
        write(1, 64);
        for (int i = 0; i < 255; i++) {
            completions.add(receiveId(1), WorkStatus.WR_FLUSH_ERR, 0);
        }
        feedbackCompletions.add(receiveId(7), WorkStatus.WR_FLUSH_ERR, 0);
        receiver.commands().drainFeedbacks(() -> events.add("drained"));
        receiver.drain();
        assertEquals(List.of("drained", "failed COMPLETION_ERROR"), events);
        assertEquals(0, completions.waiting());
        assertEquals(0, count(TransportCounter.STALE_COMPLETIONS));
    }

    @Test
    void shouldBreakALinkWhoseImmediateLiesOutsideTheWindow() {
        attach();
        write(1, WINDOW + 32);
        receiver.drain();
        assertEquals(List.of("failed BAD_POSITION"), events);
        assertEquals(1, count(TransportCounter.POSITIONS_REJECTED));
        assertEquals(0, link.positions().received());
    }

    @Test
    void shouldTellOnceThatItsQueueIsDead() {
        attach();
        completions.whenEmpty(DEAD);
        receiver.drain();
        receiver.drain();
        assertEquals(List.of("queue failed " + DEAD), events);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOENT, Errno.EBUSY})
    void shouldNotMindAnEmptyQueue(final int errno) {
        attach();
        completions.whenEmpty(errno);
        for (int i = 0; i < 10; i++) {
            receiver.drain();
        }
        assertEquals(List.of(), events);
    }

    @Test
    void shouldReportWhenItHasBeenIdleForAWhile() {
        attach();
        consumeOne();
        assertEquals(0, queuePair.posts().size(), "never per message");
        idle();
        nowNs += TimeUnit.MILLISECONDS.toNanos(1) - 1;
        idle();
        assertEquals(0, queuePair.posts().size(), "never within a round trip, however often it polls");
        nowNs++;
        idle();
        assertEquals(1, queuePair.posts().size());
        assertEquals(1, queuePair.receivesPosted());
        nowNs += TimeUnit.SECONDS.toNanos(1);
        idle();
        assertEquals(1, queuePair.posts().size(), "there is nothing new");
    }

    @Test
    void shouldCountIdleTimeFromTheLastWork() {
        attach();
        consumeOne();
        idle();
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        receiver.maintain(1);
        idle();
        assertEquals(0, queuePair.posts().size());
    }

    private void consumeOne() {
        write(1, 64);
        receiver.drain();
        link.positions().advance(64);
        receiver.maintain(1);
    }

    private void idle() {
        for (int i = 0; i < IDLE_POLLS; i++) {
            receiver.maintain(0);
        }
    }

    /** One slot for feedback: the next report waits for the completion of the one before. */
    @Test
    void shouldReapFeedbackBeforeItWritesMore() {
        attach();
        receiver.drain();
        for (int i = 1; i <= 4; i++) {
            write(1, i * WINDOW / 4);
            receiver.drain();
            link.positions().advance(i * WINDOW / 4);
            receiver.maintain(1);
        }
        assertEquals(1, queuePair.posts().size());
        feedbackCompletions.add(queuePair.posts().getFirst().workRequestId(), WorkStatus.SUCCESS, 0);
        receiver.maintain(1);
        assertEquals(2, queuePair.posts().size());
        feedbackCompletions.add(queuePair.posts().getFirst().workRequestId(), WorkStatus.REM_ACCESS_ERR, 0);
        write(1, WINDOW + WINDOW / 2);
        receiver.drain();
        link.positions().advance(WINDOW + WINDOW / 2);
        receiver.maintain(1);
        assertEquals(List.of("failed COMPLETION_ERROR"), events);
        receiver.maintain(1);
        assertEquals(2, queuePair.posts().size(), "a broken link reports nothing");
    }

    @Test
    void shouldBreakALinkWhoseReportsWaitForAQueueThatIsDead() {
        attach();
        receiver.drain();
        feedbackCompletions.whenEmpty(Errno.EINVAL);
        for (int i = 1; i <= 2; i++) {
            write(1, i * WINDOW / 4);
            receiver.drain();
            link.positions().advance(i * WINDOW / 4);
            receiver.maintain(1);
        }
        assertEquals(List.of("failed COMPLETION_ERROR"), events);
    }

    @Test
    void shouldBreakALinkWhoseQueuePairRefusesReceives() {
        attach();
        write(1, 32);
        write(1, 64);
        receiver.drain();
        queuePair.result(Errno.EINVAL);
        receiver.maintain(1);
        receiver.maintain(1);
        assertEquals(List.of("failed QUEUE_PAIR_ERROR"), events);
    }

    @Test
    void shouldTellTheEndOnceWhenReceivedAndOnceWhenConsumed() {
        attach();
        receiver.commands().end(link, 96, () -> { });
        write(1, 64);
        receiver.drain();
        receiver.maintain(1);
        assertEquals(List.of(), events);
        write(1, 96);
        receiver.drain();
        receiver.maintain(1);
        assertEquals(List.of("end received"), events);
        link.positions().advance(96);
        receiver.maintain(1);
        receiver.maintain(1);
        assertEquals(List.of("end received", "end consumed"), events);
    }

    @Test
    void shouldTakeTheBytesNotYetWalkedOverIntoANewRing() {
        final StubRegion oldRing = new StubRegion(WINDOW);
        final StubRegion newRing = new StubRegion(WINDOW);
        receiver.commands().attach(link, epoch(1, oldRing));
        receiver.commands().join(link, WINDOW - 64L, () -> events.add("refused"));
        receiver.drain();
        for (int i = 0; i < WINDOW; i++) {
            oldRing.buffer().putByte(i, (byte) (i * 31));
        }
        write(1, WINDOW + 128);
        receiver.drain();
        link.positions().onWalked(WINDOW - 32L, 1);
        receiver.commands().quiesce(link, received -> events.add("quiesced " + received));
        receiver.commands().resume(link, epoch(2, newRing), (ring, consumed) ->
            events.add("released " + (ring == oldRing) + " " + consumed));
        write(1, WINDOW + 160);
        receiver.drain();
        assertEquals(
            List.of("quiesced " + (WINDOW + 128), "released true " + (WINDOW - 32)), events);
        assertEquals(WINDOW + 128, link.positions().received(), "the old epoch is over");
        for (int i = -32; i < 128; i++) {
            final int offset = i & WINDOW - 1;
            assertEquals((byte) (offset * 31), newRing.buffer().getByte(offset));
        }
        write(2, WINDOW + 160);
        receiver.drain();
        assertEquals(WINDOW + 160, link.positions().received());
    }

    @Test
    void shouldForgetADetachedLink() {
        attach();
        receiver.drain();
        receiver.commands().detach(link, () -> events.add("detached"));
        write(1, 64);
        receiver.drain();
        assertEquals(List.of("detached"), events);
        assertEquals(0, receiver.links().length);
        assertEquals(1, count(TransportCounter.STALE_COMPLETIONS));
    }

    /** Bytes that a peer wrote before the link joined may be any number of windows away. */
    @Test
    void shouldTakeNothingOverForALinkThatHasNotBegun() {
        final StubRegion old = new StubRegion(WINDOW);
        old.buffer().setMemory(0, WINDOW, (byte) 1);
        receiver.commands().attach(link, epoch(1, old));
        write(1, 3 * WINDOW);
        receiver.drain();
        assertEquals(3 * WINDOW, link.positions().received());
        receiver.commands().quiesce(link, received -> { });
        final StubRegion next = new StubRegion(WINDOW);
        receiver.commands().resume(link, epoch(2, next), (ring, consumedPosition) ->
            events.add("released from " + consumedPosition));
        receiver.drain();
        assertEquals(0, next.buffer().getByte(0));
        assertEquals(List.of("released from 0"), events);
    }

    @Test
    void shouldEndALinkThatIsGivenUpBeforeItHasBegun() {
        receiver.commands().attach(link, epoch(1, new StubRegion(WINDOW)));
        write(1, 3 * WINDOW);
        receiver.drain();
        receiver.commands().join(link, 0, () -> events.add("refused"));
        receiver.commands().endAtReceived(link);
        receiver.drain();
        assertEquals(List.of("refused", "end received", "end consumed"), events);
    }
}
