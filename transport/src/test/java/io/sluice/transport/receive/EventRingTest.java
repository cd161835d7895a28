package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.lmax.disruptor.Sequence;
import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import org.agrona.LangUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRingTest implements ReceiverListener {
    private static final int WINDOW = 4096;
    private static final int FRAME = 64;
    private static final long JOIN = 3L * WINDOW - FRAME;
    private static final long ID = WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, 1);

    private final List<BreakReason> failures = new ArrayList<>();
    private long clockNs;
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final Receiver receiver =
        new Receiver(completions, new StubCompletionQueue(), this, new LiveCounters(), () -> 0);
    private final EventRing ring = new EventRing(receiver, 4, MessageTimes.withoutLatency(() -> ++clockNs));
    private final Poller poller = new Poller(0, Poller.NO_CPU, LangUtil::rethrowUnchecked, notice -> { });
    private final StubRegion region = new StubRegion(WINDOW);
    private final SendLog log = new SendLog(region, JOIN, 0);
    private final InboundLink link = new InboundLink(WINDOW, JOIN, 1, 0);

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
    void attach() {
        poller.add(ring);
        receiver.commands().attach(link, new InboundEpoch(
            new StubQueuePair(8, FeedbackDescriptor.CELL_LENGTH), new EpochReceives(ID, 64, 1), region,
            new RemoteMemory(0, 7), null, false, ScanModeration.NONE));
        poller.doWork();
    }

    private void join() {
        receiver.commands().join(link, JOIN, () -> failures.add(null));
        link.view(new UnusedView());
    }

    private void send(final int messages, final int type) {
        for (int i = 0; i < messages; i++) {
            log.commit(log.claim(FRAME, Long.MAX_VALUE), FRAME - 4, type, i);
            completions.add(ID, WorkStatus.SUCCESS, ImmediatePosition.immediate(log.tail()));
        }
    }

    private long published() {
        return ring.ring().getCursor() + 1;
    }

    private void consume(final long events) {
        ring.consumerSequence().set(ring.consumerSequence().get() + events);
    }

    @Test
    void shouldPublishWhatHasArrived() {
        join();
        send(3, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(3, published());
        for (int i = 0; i < 3; i++) {
            final EventSlot event = ring.ring().get(i);
            assertSame(link, event.link());
            assertEquals(JOIN + (i + 1) * FRAME, event.endPosition());
            assertEquals(FRAME - 4, FrameDescriptor.frameLengthOf(event.lengthWord()));
        }
        assertEquals(JOIN, link.positions().consumed());
        assertEquals(JOIN + 3 * FRAME, link.positions().walked());
    }

    @Test
    void shouldShowConsumersTheFrameThatTheLastBatchBeginsWith() {
        assertEquals(RingHead.NONE, ring.head().published());
        join();
        for (int first = 0; first < 6; first += 3) {
            send(3, FrameDescriptor.DATA_TYPE);
            poller.doWork();
            assertEquals(first + 2, ring.head().published());
            final EventSlot event = ring.ring().get(first);
            event.ring().putLong(event.frameOffset(), first + 4711L);
            assertEquals(first + 4711L, ring.head().touchFrame());
            consume(3);
        }
    }

    /** The image is there, and the command that lets its link join is not seen yet: there is nothing to walk from. */
    @Test
    void shouldNotWalkBeforeTheRunBegins() {
        link.view(new UnusedView());
        send(2, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(0, published());
        assertEquals(List.of(), failures);
        join();
        poller.doWork();
        assertEquals(2, published());
    }

    @Test
    void shouldNotPublishBeforeTheImageIsThere() {
        receiver.commands().join(link, JOIN, () -> failures.add(null));
        send(2, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(0, published());
        link.view(new UnusedView());
        poller.doWork();
        assertEquals(2, published());
    }

    /** Claiming again moves the cursor over what was claimed before: a consumer may be done with it at once. */
    @Test
    void shouldHaveCountedEveryEventThatConsumersCanSee() {
        ring.gateOn(new Sequence() {
            @Override
            public long get() {
                final long cursor = ring.ring().getCursor();
                final long walked = link.positions().walked();
                assertTrue(cursor < 0 || ring.ring().get(cursor).endPosition() <= walked, "cursor=" + cursor);
                return cursor;
            }
        });
        join();
        send(3, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        send(6, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(9, published());
        assertEquals(JOIN + 9 * FRAME, link.positions().consumed());
    }

    @Test
    void shouldStopTheWalkButNotTheDrainWhenTheRingIsFull() {
        join();
        send(10, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(4, published());
        assertEquals(0, completions.waiting());
        assertEquals(JOIN + 10 * FRAME, link.positions().received());
        assertEquals(JOIN + 4 * FRAME, link.positions().walked());
        consume(2);
        poller.doWork();
        poller.doWork();
        assertEquals(6, published());
        assertEquals(JOIN + 2 * FRAME, link.positions().consumed());
    }

    @Test
    void shouldConsumeWithTheSlowestEventAndPaddingWithIt() {
        join();
        send(1, FrameDescriptor.DATA_TYPE);
        send(2, FrameDescriptor.PADDING_TYPE);
        poller.doWork();
        assertEquals(1, published());
        assertEquals(JOIN, link.positions().consumed());
        consume(1);
        poller.doWork();
        assertEquals(JOIN + 3 * FRAME, link.positions().consumed(), "no event is outstanding: all that was walked");
        send(1, FrameDescriptor.PADDING_TYPE);
        poller.doWork();
        assertEquals(JOIN + 4 * FRAME, link.positions().consumed());
    }

    @Test
    void shouldPublishWhatCameBeforeABadFrame() {
        join();
        send(3, FrameDescriptor.DATA_TYPE);
        region.buffer().putInt((int) (JOIN + 2 * FRAME & WINDOW - 1), 5);
        poller.doWork();
        assertEquals(2, published());
        assertEquals(List.of(BreakReason.BAD_FRAME), failures);
        assertEquals(JOIN + 2 * FRAME, link.positions().received());
        assertTrue(!link.isLive());
    }

    @Test
    void shouldCarryTheMessageHeaderAndReservedValueOfEachMessage() {
        join();
        final long position = log.claim(FRAME, Long.MAX_VALUE);
        final long header = 4L << 48 | 3L << 32 | 0xFFFEL << 16 | 1;
        region.buffer().putLong(log.offset(position) + FrameDescriptor.HEADER_LENGTH, header);
        log.commit(position, FRAME, FrameDescriptor.DATA_TYPE, 77);
        final int shortFrame = FrameDescriptor.frameLength(7);
        log.commit(log.claim(FrameDescriptor.alignedLength(shortFrame), Long.MAX_VALUE), shortFrame,
            FrameDescriptor.DATA_TYPE, -1);
        completions.add(ID, WorkStatus.SUCCESS, ImmediatePosition.immediate(log.tail()));
        poller.doWork();
        final EventSlot event = ring.ring().get(0);
        assertEquals(List.of(0xFFFE, 3, 4), List.of(event.templateId(), event.schemaId(), event.version()));
        assertEquals(77, event.reservedValue());
        assertEquals(FRAME - FrameDescriptor.HEADER_LENGTH, event.length());
        final EventSlot tooShort = ring.ring().get(1);
        assertEquals(List.of(-1, -1, -1), List.of(tooShort.templateId(), tooShort.schemaId(), tooShort.version()));
        assertEquals(7, tooShort.length());
        assertEquals(-1, tooShort.reservedValue());
    }

    @Test
    void shouldStampTheMessagesOfABatchWithOneReadingOfTheClock() {
        join();
        poller.doWork();
        assertEquals(0, clockNs, "nobody arrives, nobody looks at the clock");
        send(3, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        send(1, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        for (int i = 0; i < 4; i++) {
            assertEquals(i < 3 ? 1 : 2, ring.ring().get(i).receiveTimestampNs());
        }
    }

    /** A claim that was aborted becomes padding: passing it takes time, too. */
    @Test
    void shouldWalkPaddingWithinTheBudget() {
        join();
        final int shortest = FrameDescriptor.FRAME_ALIGNMENT;
        for (int i = 0; i < WINDOW / shortest - FRAME; i++) {
            log.commit(log.claim(shortest, Long.MAX_VALUE), shortest, FrameDescriptor.PADDING_TYPE, 0);
        }
        send(1, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        final long walked = link.positions().walked();
        assertTrue(walked > JOIN && walked < log.tail(), "walked=" + walked);
        poller.doWork();
        assertEquals(1, published());
        assertEquals(log.tail(), link.positions().walked());
    }

    /** A batch claims more than it fills; the rest is the next batch's, again and again around the ring. */
    @Test
    void shouldUseEverySlotOfTheRingInTurn() {
        join();
        for (int i = 0; i < 10; i++) {
            send(i % 4, FrameDescriptor.DATA_TYPE);
            final long before = published();
            poller.doWork();
            assertEquals(before + i % 4, published());
            for (long sequence = before; sequence < published(); sequence++) {
                assertEquals(JOIN + (sequence + 1) * FRAME, ring.ring().get(sequence).endPosition());
            }
            consume(i % 4);
        }
        poller.doWork();
        assertEquals(link.positions().received(), link.positions().consumed());
    }

    @Test
    void shouldGateOnTheSlowestConsumerUntilItHasLeft() {
        final Sequence fast = new Sequence();
        final Sequence slow = new Sequence();
        ring.gateOn(fast, slow);
        join();
        send(8, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        fast.set(3);
        slow.set(0);
        poller.doWork();
        assertEquals(JOIN + FRAME, link.positions().consumed());
        assertEquals(5, published());
        slow.set(EventRing.LEFT);
        poller.doWork();
        assertEquals(JOIN + 4 * FRAME, link.positions().consumed());
        assertEquals(8, published());
        fast.set(EventRing.LEFT);
        poller.doWork();
        assertEquals(JOIN + 4 * FRAME, link.positions().consumed(), "nobody is there to have consumed the rest");
    }

    @Test
    void shouldCountHowFullTheRingWas() {
        join();
        send(3, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(List.of(3L, 3L, 0L), List.of(ring.occupancy(), ring.maxOccupancy(), ring.fullEvents()));
        consume(3);
        assertEquals(0, ring.occupancy());
        send(10, FrameDescriptor.DATA_TYPE);
        for (int i = 0; i < 3; i++) {
            poller.doWork();
        }
        assertEquals(List.of(4L, 4L, 1L), List.of(ring.occupancy(), ring.maxOccupancy(), ring.fullEvents()));
        consume(1);
        poller.doWork();
        poller.doWork();
        assertEquals(2, ring.fullEvents(), "room for one event, and full again");
        consume(4);
        poller.doWork();
        consume(4);
        poller.doWork();
        assertEquals(List.of(1L, 4L), List.of(ring.occupancy(), ring.maxOccupancy()));
    }

    @Test
    void shouldCountThePollersWork() {
        join();
        poller.doWork();
        final long before = poller.work();
        poller.doWork();
        assertEquals(before, poller.work());
        send(2, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(before + 4, poller.work(), "two completions, two events published");
        consume(2);
        poller.doWork();
        assertEquals(before + 6, poller.work(), "two events given back");
    }

    @Test
    void shouldTellHowFarAConsumerHasCome() {
        final ConsumerProgress consumer = new ConsumerProgress("journal", ring.consumerSequence(), ring.times());
        join();
        poller.doWork();
        assertEquals(JOIN, ring.position(consumer, link));
        send(2, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        assertEquals(JOIN, ring.position(consumer, link));
        assertEquals(2, ring.distance(consumer.sequence()));
        consume(1);
        assertEquals(JOIN + FRAME, ring.position(consumer, link));
        final InboundLink other = new InboundLink(WINDOW, JOIN, 1, 0);
        assertEquals(EventRing.UNKNOWN, ring.position(consumer, other), "its next event is another image's");
        consume(1);
        send(1, FrameDescriptor.PADDING_TYPE);
        poller.doWork();
        assertEquals(JOIN + 3 * FRAME, ring.position(consumer, link), "padding has no event");
        assertEquals(0, ring.distance(consumer.sequence()));
        ring.consumerSequence().set(EventRing.LEFT);
        assertEquals(EventRing.UNKNOWN, ring.position(consumer, link));
        assertEquals(0, ring.distance(consumer.sequence()));
        assertEquals(0, ring.occupancy());
    }

    @Test
    void shouldTellWhetherAConsumerIsAlive() throws InterruptedException {
        final ConsumerProgress consumer = new ConsumerProgress("poll", new Sequence(), ring.times());
        assertEquals(ConsumerState.NOT_STARTED, consumer.state());
        final Thread thread = new Thread(() -> consumer.begin(Thread.currentThread()));
        thread.start();
        thread.join();
        assertEquals(ConsumerState.DEAD, consumer.state());
        final Sequence sequence = new Sequence();
        final ConsumerProgress handler = new ConsumerProgress("journal", sequence, ring.times());
        handler.begin();
        assertEquals(ConsumerState.ALIVE, handler.state());
        sequence.set(EventRing.LEFT);
        assertEquals(ConsumerState.DEAD, handler.state());
        sequence.set(0);
        handler.end();
        assertEquals(ConsumerState.DEAD, handler.state());
    }

    /** A ring whose poller's clock stands at a time, and a message on it that was offered at another, or none. */
    private LatencyHistogram arrived(final long nowNs, final int flags, final long offeredNs) {
        final MessageTimes times = MessageTimes.withLatency(() -> EventSlot.NO_TIMESTAMP, () -> nowNs);
        final EventRing measuring = new EventRing(receiver, 4, times);
        join();
        poller.remove(ring);
        poller.add(measuring);
        final long position = log.tail();
        send(1, FrameDescriptor.DATA_TYPE);
        final int offset = link.reader().offset(position);
        region.buffer().putLong(offset, FrameDescriptor.lengthWord(FRAME - 4, flags, FrameDescriptor.DATA_TYPE));
        region.buffer().putLong(offset + FrameDescriptor.RESERVED_VALUE_OFFSET, offeredNs);
        poller.doWork();
        assertEquals(0, measuring.ring().getCursor());
        return times.histograms().getFirst();
    }

    @Test
    void shouldCountHowLongAStampedMessageTookToArrive() {
        final LatencyHistogram arrived = arrived(1_000, FrameDescriptor.TIMESTAMP_FLAG, 877);
        assertEquals(1, arrived.count(LatencyBuckets.indexOf(123)));
        assertEquals(123, arrived.maxNs());
        assertNull(arrived.consumer());
    }

    @Test
    void shouldNotMeasureAReservedValueThatIsNoTimestamp() {
        final LatencyHistogram arrived = arrived(1_000, 0, 877);
        assertEquals(0, arrived.count(LatencyBuckets.indexOf(123)));
        assertEquals(0, arrived.maxNs());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, Long.MAX_VALUE})
    void shouldBearAnyTimestampOfAPeer(final long offeredNs) {
        final LatencyHistogram arrived = arrived(1_000, FrameDescriptor.TIMESTAMP_FLAG, offeredNs);
        long messages = 0;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            messages += arrived.count(i);
        }
        assertEquals(offeredNs == -1 ? 1 : 0, messages, "no time where it is more than a day");
    }

    @Test
    void shouldNotLetAStampedMessageWaitForOneWithoutATimestamp() {
        final long[] nowNs = {1_000};
        final MessageTimes times = MessageTimes.withLatency(() -> EventSlot.NO_TIMESTAMP, () -> nowNs[0]);
        final ConsumerProgress consumer = new ConsumerProgress("journal", new Sequence(), times);
        final LatencyHistogram handled = times.histograms().getLast();
        join();
        send(1, FrameDescriptor.DATA_TYPE);
        poller.doWork();
        for (int i = 0; i < 2; i++) {
            nowNs[0] += LatencyMeter.QUICK_NS / 2;
            consumer.onMeasured(nowNs[0] - 7);
        }
        assertEquals(1, handled.count(LatencyBuckets.indexOf(7)), "the second waits for others");
        assertEquals(EventSlot.NOT_STAMPED, consumer.offeredNs(ring.ring().get(0)));
        nowNs[0] += LatencyBuckets.MAX_LATENCY_NS;
        consumer.endBatch();
        assertEquals(2, handled.count(LatencyBuckets.indexOf(7)));
        assertEquals(7, handled.maxNs());
    }
}
