package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExclusivePosterTest {
    private static final int WINDOW = 4096;
    private static final int DEAD = 5;

    private final StubRegion region = new StubRegion(WINDOW);
    private final StubRegion cell = new StubRegion(64);
    private final StubQueuePair queuePair = new StubQueuePair(64, 0);
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final LiveCounters counters = new LiveCounters();
    private final AtomicInteger wakes = new AtomicInteger();
    private final SendLog log = new SendLog(region, 0, 0);
    private final ExclusivePoster poster = new ExclusivePoster(log, completions, counters, wakes::incrementAndGet);

    private OutboundLink link(final int index, final int writesInFlight) {
        return new OutboundLink(new OutboundLinkParameters(
            queuePair, index, 1, region, cell, new PeerRing(new RemoteMemory(0, 12), WINDOW, 64, false, false),
            new SendLimits(writesInFlight, 64, 1), LinkStart.FRESH));
    }

    private void use(final OutboundLink... links) {
        poster.links(links);
        poster.requestToken();
        poster.onFenced();
    }

    private void write() {
        assertTrue(poster.enter());
        log.commit(log.claim(32, Long.MAX_VALUE), 32, FrameDescriptor.DATA_TYPE, 0);
        poster.post();
        poster.leave();
    }

    private boolean flush() {
        // the second look finds the writing thread quiet
        return poster.flush() && poster.flush();
    }

    private void drained(final long writes) {
        cell.buffer().putLong(FeedbackDescriptor.RECEIVES_POSTED_OFFSET, 64 + writes);
    }

    @Test
    void shouldWakeTheConductorForTheFirstRefusalOnlyUntilTheConductorHasTakenIt() {
        use(link(1, 8));
        poster.onBackPressured(WINDOW + 64);
        poster.onBackPressured(WINDOW + 64);
        assertEquals(1, wakes.get());
        assertFalse(poster.observe(true), "the pressure is known");
        assertTrue(poster.observe(false));
        assertFalse(poster.observe(false));
        poster.onBackPressured(WINDOW + 64);
        assertEquals(2, wakes.get());
        assertEquals(3, poster.backPressuredCount());
    }

    @Test
    void shouldHaveNoLimitWithoutLinks() {
        assertEquals(LogPoster.NOT_CONNECTED, poster.limit());
        assertEquals(LogPoster.NOT_CONNECTED, poster.observedLimit());
    }

    @Test
    void shouldLetTheSlowestLinkSetTheLimit() {
        final OutboundLink first = link(1, 8);
        final OutboundLink second = link(2, 8);
        write();
        use(first, second);
        assertEquals(32 + WINDOW, poster.limit(), "both join at the tail");
        poster.observe(false);
        assertEquals(32 + WINDOW, poster.observedLimit());
        assertEquals(32, first.joinPosition());
        assertEquals(32, second.joinPosition());
    }

    @Test
    void shouldPostFromTheWritingThread() {
        use(link(1, 8));
        write();
        write();
        assertEquals(1, queuePair.posts().size(), "the first one joined behind its own message");
        assertEquals(0, wakes.get());
        assertFalse(poster.flush());
    }

    @Test
    void shouldPostATailThatWaitsForCreditEvenIfNobodyWritesAgain() {
        use(link(1, 1));
        poster.limit();
        write();
        write();
        write();
        assertEquals(1, queuePair.posts().size());
        assertEquals(1, wakes.get(), "the conductor is told once");
        assertTrue(flush());
        assertFalse(poster.isFlushed());
        drained(1);
        assertFalse(poster.flush());
        assertTrue(poster.isFlushed());
        assertEquals(2, queuePair.posts().size());
        assertEquals(64, queuePair.posts().getLast().length());
    }

    @Test
    void shouldReapAgainWhenTheDeviceHasKeptPollsOut() {
        use(link(1, 8));
        assertFalse(flush());
        final AtomicInteger drained = new AtomicInteger();
        completions.whenEmpty(Errno.EBUSY);
        poster.drainSends(drained::incrementAndGet);
        poster.requestToken();
        poster.onFenced();
        assertTrue(flush());
        assertEquals(0, drained.get());
        completions.whenEmpty(Errno.ENOENT);
        flush();
        assertEquals(1, drained.get());
    }

    @Test
    void shouldTakeTheTokenBackFromTheConductor() {
        use(link(1, 1));
        poster.limit();
        write();
        write();
        drained(1);
        write();
        assertEquals(2, queuePair.posts().size());
        assertEquals(64, queuePair.posts().getLast().length());
        assertFalse(poster.flush());
    }

    @Test
    void shouldNotTouchTheLogBeforeTheWritingThreadHasSeenTheLease() {
        assertTrue(poster.enter());
        use(link(1, 8));
        assertFalse(poster.isSettled());
        assertTrue(poster.flush());
        log.commit(log.claim(32, Long.MAX_VALUE), 32, FrameDescriptor.DATA_TYPE, 0);
        assertTrue(poster.flush());
        assertEquals(0, queuePair.posts().size());
        poster.leave();
        assertTrue(poster.isSettled());
    }

    @Test
    void shouldLetNobodyInWhenClosed() {
        poster.close();
        assertTrue(poster.isClosed());
        assertFalse(poster.enter());
        poster.requestToken();
        poster.onFenced();
        assertTrue(poster.isSettled(), "whoever was refused is outside");
    }

    @Test
    void shouldKeepTheMemoryOfAnOpenClaim() {
        assertFalse(poster.isMemoryHeld());
        poster.holdMemory(true);
        assertTrue(poster.isMemoryHeld());
        poster.holdMemory(false);
        assertFalse(poster.isMemoryHeld());
    }

    @Test
    void shouldReapCompletionsForTheLinkTheyBelongTo() {
        final OutboundLink link = link(1, 64);
        use(link);
        poster.limit();
        for (int i = 0; i < 40; i++) {
            write();
            completions.add(WorkRequestId.pack(WorkRequestId.KIND_DATA, 1, 1), WorkStatus.SUCCESS, 0);
        }
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_DATA, 1, 2), WorkStatus.SUCCESS, 0);
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_DATA, 2, 1), WorkStatus.RETRY_EXC_ERR, 0);
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_DATA, 2, 1), WorkStatus.WR_FLUSH_ERR, 0);
        for (int i = 0; i < 64; i++) {
            write();
        }
        assertEquals(null, link.breakReason());
        assertEquals(2, counters.get(TransportCounter.STALE_COMPLETIONS));
    }

    @Test
    void shouldFindAQueueNearlyFullThoughItsBatchesAreShort() {
        completions.bound(40, 16);
        final OutboundLink link = link(1, 64);
        use(link);
        poster.limit();
        for (int i = 0; i < 30; i++) {
            write();
        }
        for (int i = 0; i < 30; i++) {
            completions.add(WorkRequestId.pack(WorkRequestId.KIND_DATA, 1, 1), WorkStatus.SUCCESS, 0);
        }
        for (int i = 0; i < 64 && completions.waiting() > 0; i++) {
            write();
        }
        assertEquals(0, completions.waiting());
        assertEquals(1, poster.completions().drainWatch().nearlyFullDrains());
    }

    @Test
    void shouldBreakTheLinkWhoseWriteFailed() {
        final OutboundLink failing = link(1, 64);
        final OutboundLink other = link(2, 64);
        use(failing, other);
        poster.limit();
        completions.add(WorkRequestId.pack(WorkRequestId.KIND_DATA, 1, 1), WorkStatus.RETRY_EXC_ERR, 0);
        for (int i = 0; i < 40; i++) {
            write();
        }
        assertEquals(BreakReason.COMPLETION_ERROR, failing.breakReason());
        assertEquals(null, other.breakReason());
        assertTrue(poster.isFlushed(), "a broken link owes nothing now");
    }

    @Test
    void shouldBreakAllLinksWhenTheirQueueIsDead() {
        final OutboundLink first = link(1, 64);
        final OutboundLink second = link(2, 64);
        use(first, second);
        poster.limit();
        completions.whenEmpty(DEAD);
        for (int i = 0; i < 40; i++) {
            write();
        }
        assertEquals(BreakReason.COMPLETION_QUEUE_OVERRUN, first.breakReason());
        assertEquals(BreakReason.COMPLETION_QUEUE_OVERRUN, second.breakReason());
    }
}
