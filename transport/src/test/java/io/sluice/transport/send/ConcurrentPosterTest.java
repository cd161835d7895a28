package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConcurrentPosterTest {
    private static final int WINDOW = 4096;
    private static final int MAX_THREADS_INSIDE = 64;
    private static final long UNBLOCK_TIMEOUT_NS = 1000;

    private final StubRegion region = new StubRegion(WINDOW);
    private final StubRegion cell = new StubRegion(64);
    private final StubQueuePair queuePair = new StubQueuePair(64, 0);
    private final StubCompletionQueue completions = new StubCompletionQueue();
    private final LiveCounters counters = new LiveCounters();
    private final AtomicInteger wakes = new AtomicInteger();
    private final SendLog log = new SendLog(region, 0, 0);
    private final ConcurrentPoster poster =
        new ConcurrentPoster(log, completions, counters, wakes::incrementAndGet, UNBLOCK_TIMEOUT_NS);
    private final ConcurrentClaims claims = poster.claims();

    private OutboundLink use(final int writesInFlight, final boolean memoryCompletion) {
        final OutboundLink link = new OutboundLink(new OutboundLinkParameters(
            queuePair, 1, 1, region, cell,
            new PeerRing(new RemoteMemory(0, 12), WINDOW, 64, memoryCompletion, memoryCompletion),
            new SendLimits(writesInFlight, 64, 1), LinkStart.FRESH));
        poster.links(new OutboundLink[] {link});
        settle();
        link.join(log.tail());
        return link;
    }

    private void settle() {
        poster.requestToken();
        poster.onFenced();
    }

    private long claim() {
        return claims.claim(32, poster.refreshLimit());
    }

    private void commit(final long position) {
        assertTrue(claims.commit(position, 32, 0));
        post();
    }

    private void post() {
        final int slot = poster.enter();
        assertTrue(slot >= 0);
        poster.post();
        poster.leave(slot);
    }

    private int postedEnd() {
        return queuePair.posts().getLast().immediate();
    }

    private void consumed(final long position) {
        cell.buffer().putLong(FeedbackDescriptor.CONSUMED_POSITION_OFFSET, position);
    }

    @Test
    void shouldWakeTheConductorForTheFirstRefusalOnlyUntilTheConductorHasTakenIt() {
        poster.onBackPressured(64);
        poster.onBackPressured(64);
        assertEquals(1, wakes.get());
        assertTrue(poster.observe(false));
        poster.onBackPressured(64);
        assertEquals(2, wakes.get());
    }

    @Test
    void shouldHaveNoLimitWithoutLinks() {
        assertEquals(LogPoster.NOT_CONNECTED, poster.limit());
        assertEquals(LogPoster.NOT_CONNECTED, poster.refreshLimit());
    }

    @Test
    void shouldLimitClaimsToAWindowFromWhatIsConsumed() {
        final OutboundLink link = use(8, false);
        assertEquals(WINDOW, poster.refreshLimit());
        assertEquals(WINDOW, poster.limit());
        commit(claim());
        commit(claim());
        assertEquals(WINDOW, poster.refreshLimit());
        consumed(32);
        assertEquals(32, link.consumedPosition());
        assertEquals(WINDOW, poster.limit());
        assertEquals(32 + WINDOW, poster.refreshLimit());
        assertEquals(32 + WINDOW, poster.limit());
    }

    /** Else a thread that does not know the link yet could claim more than a window from where it joined. */
    @Test
    void shouldNotPostOnALinkBeforeTheConductorHasLetItJoin() {
        use(8, false);
        final OutboundLink next = new OutboundLink(new OutboundLinkParameters(
            queuePair, 2, 1, region, cell, new PeerRing(new RemoteMemory(0, 12), WINDOW, 64, false, false),
            new SendLimits(8, 64, 1), LinkStart.FRESH));
        commit(claim());
        consumed(32);
        poster.links(new OutboundLink[] {poster.links()[0], next});
        settle();
        assertEquals(32 + WINDOW, poster.refreshLimit());
        commit(claim());
        assertEquals(OutboundLink.UNSET, next.joinPosition());
        assertEquals(2, queuePair.posts().size(), "on the first link");
        assertEquals(1, wakes.get());
        assertTrue(poster.flush(), "the conductor comes back");
        assertFalse(poster.isFlushed());
        next.join(32);
        assertFalse(poster.flush());
        assertEquals(3, queuePair.posts().size());
        assertEquals(ImmediatePosition.immediate(64), postedEnd());
        assertTrue(poster.isFlushed());
    }

    /** Bytes that nobody has moved the tail over must not be written over, even if the peer has consumed them. */
    @Test
    void shouldLimitClaimsToAWindowFromTheTailWhenThePeerIsAhead() {
        final OutboundLink link = use(8, true);
        assertEquals(0, link.joinPosition());
        assertTrue(claims.commit(claim(), 32, 0));
        consumed(32);
        assertEquals(32, link.consumedPosition());
        assertEquals(WINDOW, poster.refreshLimit());
        post();
        assertEquals(32 + WINDOW, poster.refreshLimit());
    }

    @Test
    void shouldPostWhatIsCommittedWithoutAGap() {
        use(8, false);
        final long first = claim();
        final long second = claim();
        final long third = claim();
        commit(second);
        assertEquals(0, queuePair.posts().size());
        commit(first);
        assertEquals(1, queuePair.posts().size(), "both in one");
        assertEquals(ImmediatePosition.immediate(64), postedEnd());
        commit(third);
        assertEquals(ImmediatePosition.immediate(96), postedEnd());
    }

    @Test
    void shouldPostATailThatWaitsForCreditEvenIfNobodyWritesAgain() {
        use(1, false);
        for (int i = 0; i < 3; i++) {
            commit(claim());
        }
        assertEquals(1, queuePair.posts().size());
        assertEquals(1, wakes.get(), "the conductor is told once");
        assertTrue(poster.flush());
        assertFalse(poster.isFlushed());
        cell.buffer().putLong(FeedbackDescriptor.RECEIVES_POSTED_OFFSET, 65);
        assertFalse(poster.flush());
        assertTrue(poster.isFlushed());
        assertEquals(2, queuePair.posts().size());
        assertEquals(64, queuePair.posts().getLast().length());
        assertFalse(poster.flush());
    }

    @Test
    void shouldPostTheTailOnALinkThatHasResumedEvenIfNobodyWritesAgain() {
        use(8, false).fail(BreakReason.QUEUE_PAIR_ERROR);
        commit(claim());
        assertEquals(0, queuePair.posts().size());
        assertFalse(poster.flush());
        poster.links(new OutboundLink[] {new OutboundLink(new OutboundLinkParameters(
            queuePair, 1, 2, region, cell, new PeerRing(new RemoteMemory(0, 12), WINDOW, 64, false, false),
            new SendLimits(8, 64, 1), new LinkStart(0, 0)))});
        settle();
        assertFalse(poster.flush());
        assertEquals(ImmediatePosition.immediate(32), postedEnd());
        assertTrue(poster.isFlushed());
    }

    /** A thread that commits while another one posts leaves it to that. */
    @Test
    void shouldLookAgainWhenSomebodyCommittedMeanwhile() {
        use(8, false);
        final List<Long> meanwhile = new ArrayList<>();
        queuePair.whenPosted(() -> {
            if (meanwhile.size() < 2) {
                meanwhile.add(claim());
                commit(meanwhile.getLast());
            }
        });
        commit(claim());
        assertEquals(List.of(32L, 64L), meanwhile);
        assertEquals(
            List.of(ImmediatePosition.immediate(32), ImmediatePosition.immediate(64), ImmediatePosition.immediate(96)),
            queuePair.posts().stream().map(StubQueuePair.Post::immediate).toList());
        assertEquals(0, wakes.get());
    }

    @Test
    void shouldLeaveTheRestToTheConductorWhenOthersKeepCommitting() {
        use(64, false);
        queuePair.whenPosted(() -> {
            if (claims.end() < WINDOW) {
                commit(claim());
            }
        });
        commit(claim());
        assertEquals(1, wakes.get());
        assertTrue(claims.end() < WINDOW, "the thread was let go");
        queuePair.whenPosted(() -> { });
        assertFalse(poster.flush());
        assertTrue(poster.isFlushed());
    }

    @Test
    void shouldLetTheTokenGoWhenAPostThrows() {
        use(8, false);
        queuePair.whenPosted(() -> {
            throw new IllegalStateException("device");
        });
        assertTrue(claims.commit(claim(), 32, 0));
        assertThrows(IllegalStateException.class, poster::post);
        queuePair.whenPosted(() -> { });
        commit(claim());
        assertEquals(ImmediatePosition.immediate(64), postedEnd());
    }

    @Test
    void shouldHaveTheConductorPostWhatIsLeftWhenAPostThrows() {
        use(8, false);
        queuePair.whenPosted(() -> {
            throw new IllegalStateException("device");
        });
        assertTrue(claims.commit(claim(), 32, 0));
        assertThrows(IllegalStateException.class, poster::post);
        queuePair.whenPosted(() -> { });
        assertTrue(claims.commit(claim(), 32, 0), "by a thread that found the token held, and left a mark");
        poster.flush();
        assertEquals(ImmediatePosition.immediate(64), postedEnd());
    }

    @Test
    void shouldLetNobodyInWhenClosed() {
        final int slot = poster.enter();
        poster.close();
        assertEquals(ConcurrentPoster.CLOSED, poster.enter());
        settle();
        assertFalse(poster.isSettled());
        poster.leave(slot);
        assertTrue(poster.isSettled());
    }

    @Test
    void shouldBeBusyWhenTooManyThreadsAreInside() {
        int slot = 0;
        for (int i = 0; i < MAX_THREADS_INSIDE; i++) {
            slot = poster.enter();
            assertTrue(slot >= 0);
        }
        assertEquals(ConcurrentPoster.BUSY, poster.enter());
        poster.leave(slot);
        assertEquals(slot, poster.enter());
    }

    @Test
    void shouldKeepTheMemoryUntilTheLastOpenClaimIsOver() {
        poster.holdMemory();
        poster.holdMemory();
        poster.releaseMemory();
        assertTrue(poster.isMemoryHeld());
        poster.releaseMemory();
        assertFalse(poster.isMemoryHeld());
    }

    @Test
    void shouldGiveUpAClaimThatOthersWaitForTooLong() {
        use(8, false);
        final long dead = claim();
        commit(claim());
        poster.unblock(0);
        poster.unblock(UNBLOCK_TIMEOUT_NS);
        assertFalse(poster.flush());
        assertEquals(0, queuePair.posts().size());
        poster.unblock(UNBLOCK_TIMEOUT_NS + 1);
        assertEquals(1, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
        assertFalse(poster.flush());
        assertEquals(ImmediatePosition.immediate(64), postedEnd());
        assertFalse(claims.commit(dead, 32, 0));
        assertTrue(poster.isFlushed());
    }

    @Test
    void shouldGiveUpAllThatWereOpenForAsLongAndNoneThatCameLater() {
        use(8, false);
        final long dead = claim();
        final long alsoDead = claim();
        poster.unblock(0);
        final long alive = claim();
        poster.unblock(UNBLOCK_TIMEOUT_NS + 1);
        assertEquals(2, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
        assertFalse(claims.commit(dead, 32, 0));
        assertFalse(claims.commit(alsoDead, 32, 0));
        commit(alive);
        assertEquals(96, log.tail());
    }

    @Test
    void shouldCountFromWhenAClaimWasOpenedAlsoAfterIdleness() {
        use(8, false);
        poster.unblock(0);
        poster.unblock(5 * UNBLOCK_TIMEOUT_NS);
        final long dead = claim();
        poster.unblock(5 * UNBLOCK_TIMEOUT_NS + 1);
        poster.unblock(6 * UNBLOCK_TIMEOUT_NS + 1);
        assertEquals(0, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
        poster.unblock(6 * UNBLOCK_TIMEOUT_NS + 2);
        assertEquals(1, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
        assertFalse(claims.commit(dead, 32, 0));
    }

    /** A claim is given up whatever was open before it, and whether the tail has moved meanwhile. */
    @Test
    void shouldGiveUpEachClaimWhenItsOwnTimeIsOver() {
        use(8, false);
        final long look = UNBLOCK_TIMEOUT_NS / 100;
        final long[] dead = new long[5];
        final long[] openedNs = {0, 1, UNBLOCK_TIMEOUT_NS / 2, UNBLOCK_TIMEOUT_NS - 1, 2 * UNBLOCK_TIMEOUT_NS};
        final long[] givenUpNs = new long[dead.length];
        int opened = 0;
        int givenUp = 0;
        for (long nowNs = 0; givenUp < dead.length; nowNs += look) {
            while (opened < dead.length && openedNs[opened] <= nowNs) {
                dead[opened++] = claim();
                commit(claim());
            }
            poster.unblock(nowNs);
            assertFalse(poster.flush());
            for (; givenUp < counters.get(TransportCounter.CLAIMS_UNBLOCKED); givenUp++) {
                givenUpNs[givenUp] = nowNs;
            }
            assertTrue(nowNs < 10 * UNBLOCK_TIMEOUT_NS, "given up: " + givenUp);
        }
        for (int i = 0; i < dead.length; i++) {
            final long openNs = givenUpNs[i] - openedNs[i];
            assertTrue(openNs >= UNBLOCK_TIMEOUT_NS
                && openNs <= UNBLOCK_TIMEOUT_NS + UNBLOCK_TIMEOUT_NS / 16 + 2 * look, i + " was open for " + openNs);
            assertFalse(claims.commit(dead[i], 32, 0));
        }
    }

    @Test
    void shouldNotGiveUpAnythingThatIsYoungWhileTheTailMoves() {
        use(8, false);
        long open = claim();
        for (long nowNs = 0; nowNs < 20 * UNBLOCK_TIMEOUT_NS; nowNs += UNBLOCK_TIMEOUT_NS / 2) {
            poster.unblock(nowNs);
            final long next = claim();
            commit(open);
            open = next;
        }
        commit(open);
        assertEquals(0, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
    }

    /** A thread that stopped before it had marked its claim, and goes on to leave it open. */
    @Test
    void shouldGiveUpAClaimThatWasMarkedLate() {
        use(8, false);
        final long late = claim();
        final int offset = log.offset(late);
        final long lapWord = region.buffer().getLong(offset + FrameDescriptor.LAP_WORD_OFFSET);
        region.buffer().putLong(offset + FrameDescriptor.LAP_WORD_OFFSET, ~lapWord);
        poster.unblock(0);
        poster.unblock(UNBLOCK_TIMEOUT_NS + 1);
        assertEquals(0, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
        region.buffer().putLong(offset + FrameDescriptor.LAP_WORD_OFFSET, lapWord);
        poster.unblock(2 * UNBLOCK_TIMEOUT_NS + 2);
        assertEquals(1, counters.get(TransportCounter.CLAIMS_UNBLOCKED));
    }

    @Test
    void shouldGiveUpOpenClaimsWhenClosedAndPostWhatWasCommittedBehindThem() {
        use(8, false);
        final long open = claim();
        commit(claim());
        poster.close();
        settle();
        assertFalse(poster.isFlushed());
        assertFalse(poster.flush());
        assertTrue(poster.isFlushed());
        assertEquals(64, log.tail());
        assertEquals(ImmediatePosition.immediate(64), postedEnd());
        assertFalse(claims.commit(open, 32, 0));
        assertEquals(0, counters.get(TransportCounter.CLAIMS_UNBLOCKED), "it was not late");
    }
}
