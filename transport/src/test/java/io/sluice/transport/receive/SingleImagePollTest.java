package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases in which polls look for one message alone, and those in which they go the whole way. */
class SingleImagePollTest {
    private static final int WINDOW = 8192;
    private static final int FRAME = 64;
    /** More than it takes to count as idle: 256 polls, a look at the clock, and as many again. */
    private static final int IDLE_WHOLE_POLLS = 10;
    private static final long FRAME_KEY = 0x0123_4567_89AB_CDEFL;

    private long nowNs;
    private final StubQueuePair queuePair = new StubQueuePair(8, 16);
    private final StubRegion region = new StubRegion(WINDOW);
    private final SendLog log = new SendLog(region, 0, FRAME_KEY);
    private final InboundLink link = new InboundLink(WINDOW, 0, 1, FRAME_KEY);
    private final Receiver receiver = new Receiver(
        new StubCompletionQueue(), new StubCompletionQueue(), new Listener(), new LiveCounters(), () -> nowNs);
    private final SingleImagePoll way = receiver.singleImagePoll();

    private static final class Listener implements ReceiverListener {
        @Override
        public void onLinkFailed(final InboundLink failed, final BreakReason reason) {
            assertEquals(BreakReason.COMPLETION_ERROR, reason);
        }

        @Override
        public void onEndReceived(final InboundLink ended) {
            // looked at by others
        }

        @Override
        public void onEndConsumed(final InboundLink ended) {
            // looked at by others
        }

        @Override
        public void onCompletionQueueFailed(final int errno) {
            throw new AssertionError("errno=" + errno);
        }
    }

    @BeforeEach
    void attach() {
        attach(link, true);
        receiver.commands().establish(link);
        goTheWholeWay();
        goTheWholeWay();
    }

    private void attach(final InboundLink attached, final boolean memoryCompletion) {
        receiver.commands().attach(attached, epoch(region, 1, memoryCompletion));
        receiver.commands().join(attached, 0, () -> {
            throw new AssertionError("join refused");
        });
        receiver.drain();
        receiver.maintain(1);
    }

    private InboundEpoch epoch(final StubRegion ring, final int generation, final boolean memoryCompletion) {
        return new InboundEpoch(
            queuePair, new EpochReceives(WorkRequestId.pack(WorkRequestId.KIND_RECEIVE, 0, generation), 8, 2),
            ring, new RemoteMemory(77_000, 7), null, memoryCompletion, ScanModeration.NONE);
    }

    private void goTheWholeWay() {
        final int work = receiver.drain();
        receiver.maintain(work);
        final InboundLink awaited = work == 0 ? receiver.awaited() : null;
        if (awaited != null) {
            way.open(awaited);
        }
    }

    private void commit() {
        commit(FrameDescriptor.DATA_TYPE);
    }

    private void commit(final int type) {
        log.commit(log.claim(FRAME, link.positions().consumed() + WINDOW), FRAME, type, 0);
    }

    private void handle() {
        assertTrue(link.logScan().receiveNext() != FrameReader.BAD_FRAME);
        link.positions().advance(link.positions().received());
        way.onHandled();
    }

    @Test
    void shouldFindOneMessageAfterTheOtherWithPausesBetween() {
        for (int i = 1; i <= 10; i++) {
            assertEquals(SingleImagePoll.NOTHING, way.look());
            commit();
            assertEquals(SingleImagePoll.FRAME, way.look());
            assertSame(link, way.link());
            handle();
            assertEquals((long) i * FRAME, link.positions().consumed());
        }
    }

    /** The single-image poll asks no view what to do next, so polls whose handlers say it never open it. */
    @Test
    void shouldBeOpenedByPlainPollsInVainOnly() {
        final DirectPoll poll = new DirectPoll(receiver, MessageTimes.withoutLatency(() -> 0), error -> {
            throw new AssertionError(error);
        });
        assertEquals(0, poll.pollAll(1));
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
        assertEquals(0, poll.poll(1));
        assertEquals(SingleImagePoll.NOTHING, way.look());
    }

    @Test
    void shouldNotFindAFrameThatIsClaimedOnly() {
        final long position = log.claim(FRAME, WINDOW);
        assertEquals(SingleImagePoll.NOTHING, way.look());
        log.commit(position, FRAME, FrameDescriptor.DATA_TYPE, 0);
        assertEquals(SingleImagePoll.FRAME, way.look());
    }

    @Test
    void shouldGoTheWholeWayNowAndThen() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < SingleImagePoll.POLLS; i++) {
                assertEquals(SingleImagePoll.NOTHING, way.look());
            }
            commit();
            assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
            assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
            assertTrue(receiver.drain() > 0);
            link.positions().advance(link.positions().received());
            receiver.maintain(1);
            assertEquals(SingleImagePoll.WHOLE_WAY, way.look(), "more may come");
            goTheWholeWay();
        }
    }

    @Test
    void shouldGoTheWholeWayWhenASecondMessageFollowsAtOnce() {
        way.look();
        commit();
        commit();
        commit();
        assertEquals(SingleImagePoll.FRAME, way.look());
        handle();
        assertEquals(SingleImagePoll.FRAME, way.look());
        handle();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldGoTheWholeWayForACommand() {
        assertEquals(SingleImagePoll.NOTHING, way.look());
        receiver.commands().expect(link, 0);
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
        goTheWholeWay();
        goTheWholeWay();
        assertEquals(SingleImagePoll.NOTHING, way.look());
    }

    /** Else the publication would wait for it until the next poll. */
    @Test
    void shouldReportAtOnceWhenAReportIsDue() {
        final DirectPoll poll = new DirectPoll(receiver, MessageTimes.withoutLatency(() -> 0), error -> {
            throw new AssertionError(error);
        });
        link.view((MessageView) Proxy.newProxyInstance(
            MessageView.class.getClassLoader(), new Class<?>[] {MessageView.class},
            (_, method, _) -> method.getReturnType() == NextStep.class ? NextStep.CONTINUE : (Object) false));
        int messages = 0;
        while (messages < SingleImagePoll.POLLS / 2 && link.positions().reported() == 0) {
            assertEquals(0, poll.poll(1));
            commit();
            messages += poll.poll(1);
        }
        assertEquals((long) messages * FRAME, link.positions().reported());
        assertEquals(WINDOW / 8, link.positions().reported());
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldReportAllWhenIdleAlthoughPollsAreShort() {
        way.look();
        commit();
        assertEquals(SingleImagePoll.FRAME, way.look());
        handle();
        int wholePolls = 0;
        while (link.positions().reported() == 0 && wholePolls < IDLE_WHOLE_POLLS) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
            while (way.look() == SingleImagePoll.NOTHING) {
                assertEquals(0, link.positions().reported());
            }
            goTheWholeWay();
            wholePolls++;
        }
        assertEquals(FRAME, link.positions().reported(), "after " + wholePolls + " polls the whole way");
    }

    /** The first of them is waited for while the single-image poll is open; then they come as they do in any burst. */
    @Test
    void shouldTakeAWholeBurstInTheFirstPollOfTheWholeWay() {
        for (int i = 0; i < 3; i++) {
            while (way.look() == SingleImagePoll.NOTHING) {
                assertEquals(0, link.positions().received());
            }
            goTheWholeWay();
        }
        for (int i = 0; i < 5; i++) {
            commit();
        }
        assertEquals(SingleImagePoll.FRAME, way.look());
        handle();
        assertEquals(SingleImagePoll.FRAME, way.look());
        handle();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
        assertTrue(receiver.drain() > 0);
        assertEquals(5 * FRAME, link.positions().received());
    }

    @Test
    void shouldLookIntoTheMemoryOfTheNextEpoch() {
        assertEquals(SingleImagePoll.NOTHING, way.look());
        final StubRegion next = new StubRegion(WINDOW);
        final SendLog nextLog = new SendLog(next, 0, FRAME_KEY);
        receiver.commands().quiesce(link, position -> assertEquals(0, position));
        goTheWholeWay();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
        receiver.commands().resume(link, epoch(next, 2, true), (ring, position) -> assertSame(region, ring));
        goTheWholeWay();
        goTheWholeWay();
        commit();
        assertEquals(SingleImagePoll.NOTHING, way.look());
        nextLog.commit(nextLog.claim(FRAME, WINDOW), FRAME, FrameDescriptor.DATA_TYPE, 0);
        assertEquals(SingleImagePoll.FRAME, way.look());
    }

    /** The link breaks as when a message was overwritten under its handler. */
    @Test
    void shouldGoTheWholeWayAtOnceAfterTheShortOneHasBrokenTheLink() {
        commit();
        assertEquals(SingleImagePoll.FRAME, way.look());
        assertTrue(link.logScan().receiveNext() != FrameReader.BAD_FRAME);
        link.truncate(link.positions().received());
        receiver.fail(link, BreakReason.COMPLETION_ERROR);
        link.positions().advance(link.positions().received());
        commit();
        assertEquals(FrameReader.BAD_FRAME, link.logScan().receiveNext(), "its bytes are not looked at again");
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldLeaveWhatIsNoMessageToTheWholeWay() {
        commit(FrameDescriptor.PADDING_TYPE);
        assertEquals(SingleImagePoll.FRAME, way.look());
        assertEquals(FrameReader.BAD_FRAME, link.logScan().receiveNext());
        assertEquals(0, link.positions().received());
    }

    @Test
    void shouldLeaveAMalformedFrameToTheWholeWay() {
        commit();
        region.buffer().putInt(0, WINDOW + 1);
        assertEquals(SingleImagePoll.FRAME, way.look());
        assertEquals(FrameReader.BAD_FRAME, link.logScan().receiveNext());
        assertEquals(0, link.positions().received());
    }

    /** The publication fails its queue pair before it goes on without this link. */
    @Test
    void shouldNotTakeWhatAPublicationWritesThatHasGivenItUp() {
        queuePair.peerReceiving(false);
        commit();
        assertEquals(SingleImagePoll.FRAME, way.look());
        assertEquals(FrameReader.BAD_FRAME, link.logScan().receiveNext());
        assertEquals(0, link.positions().received());
    }

    /** The first steps of the whole way may have released what is looked at, even if it ended with an exception. */
    @Test
    void shouldNotLookIntoMemoryThatTheWholeWayMayHaveReleased() {
        assertEquals(SingleImagePoll.NOTHING, way.look());
        receiver.drain();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldGoTheWholeWayWhenTheLinkIsBroken() {
        receiver.fail(link, BreakReason.COMPLETION_ERROR);
        goTheWholeWay();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldGoTheWholeWayWhenThereAreTwoLinks() {
        attach(new InboundLink(WINDOW, 0, 1, FRAME_KEY), true);
        goTheWholeWay();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldGoTheWholeWayWhenWritesComplete() {
        receiver.commands().detach(link, () -> { });
        goTheWholeWay();
        attach(new InboundLink(WINDOW, 0, 1, FRAME_KEY), false);
        goTheWholeWay();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }

    @Test
    void shouldGoTheWholeWayWhenTheEndIsKnown() {
        receiver.commands().end(link, FRAME, () -> { });
        goTheWholeWay();
        goTheWholeWay();
        assertEquals(SingleImagePoll.WHOLE_WAY, way.look());
    }
}
