package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.ImmediatePosition;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundLinkTest {
    private static final int WINDOW = 4096;
    private static final int SLOTS = 64;
    private static final int INLINE = 64;
    private static final long RING = 1L << 40;

    private final StubRegion log = new StubRegion(WINDOW);
    private final StubRegion cell = new StubRegion(64);
    private StubQueuePair queuePair = new StubQueuePair(SLOTS, INLINE);
    private int sendQueueLength = SLOTS;

    private OutboundLink link(
        final int receiveDepth, final int writesInFlight, final long resume, final long consumed) {
        return new OutboundLink(new OutboundLinkParameters(
            queuePair, 3, 9, log, cell,
            new PeerRing(new RemoteMemory(RING, 12), WINDOW, receiveDepth, false, false),
            new SendLimits(writesInFlight, sendQueueLength, 8), new LinkStart(resume, consumed)));
    }

    private OutboundLink joined(final int receiveDepth, final int writesInFlight, final long position) {
        final OutboundLink link = link(receiveDepth, writesInFlight, OutboundLink.UNSET, 0);
        link.join(position);
        return link;
    }

    private void consumed(final long position) {
        cell.buffer().putLong(FeedbackDescriptor.CONSUMED_POSITION_OFFSET, position);
    }

    private void receives(final long count) {
        cell.buffer().putLong(FeedbackDescriptor.RECEIVES_POSTED_OFFSET, count);
    }

    private StubQueuePair.Post last() {
        return queuePair.posts().getLast();
    }

    @Test
    void shouldPostFromItsJoinPositionOn() {
        final OutboundLink link = joined(8, 8, 128);
        assertTrue(link.post(128));
        assertEquals(0, queuePair.posts().size());
        assertTrue(link.post(320));
        assertEquals(1, queuePair.posts().size());
        assertEquals(192, last().length());
        assertEquals(log.address() + 128, last().localAddress());
        assertEquals(RING + 128, last().remoteAddress());
        assertEquals(ImmediatePosition.immediate(320), last().immediate());
        assertEquals(320, link.postedPosition());
    }

    @Test
    void shouldCoverEverythingCommittedWithOneWriteOrTwoAroundTheEnd() {
        final OutboundLink link = joined(8, 8, 3 * WINDOW - 64L);
        assertTrue(link.post(3 * WINDOW + 512L));
        assertEquals(2, queuePair.posts().size());
        assertEquals(64, queuePair.posts().getFirst().length());
        assertEquals(ImmediatePosition.immediate(3 * WINDOW), queuePair.posts().getFirst().immediate());
        assertEquals(512, last().length());
        assertEquals(RING, last().remoteAddress());
    }

    @Test
    void shouldPostShortRangesInline() {
        final OutboundLink link = joined(8, 8, 0);
        link.post(INLINE);
        assertTrue((last().flags() & WorkFlags.INLINE) != 0);
        link.post(INLINE + 96);
        assertEquals(0, last().flags() & WorkFlags.INLINE);
    }

    @ParameterizedTest
    @CsvSource({"8, 2, 2", "2, 8, 2", "1, 1, 1", "8, 8, 8"})
    void shouldLeaveATailWhenSoMuchIsInFlight(final int receiveDepth, final int writesInFlight, final int expected) {
        final OutboundLink link = joined(receiveDepth, writesInFlight, 0);
        for (int i = 1; i <= expected; i++) {
            assertTrue(link.post(i * 32L));
        }
        assertFalse(link.post(expected * 32L + 32));
        assertFalse(link.post(expected * 32L + 64));
        assertEquals(expected, queuePair.posts().size());
        assertNull(link.breakReason());
        receives(receiveDepth + 1L);
        assertTrue(link.post(expected * 32L + 96));
        assertEquals(expected + 1, queuePair.posts().size());
        assertEquals(96, last().length(), "all that was appended meanwhile");
    }

    @ParameterizedTest
    @CsvSource({"2,64", "64,2"})
    void shouldLeaveATailWhenTheSendQueueIsFull(final int granted, final int asked) {
        queuePair = new StubQueuePair(granted, INLINE);
        sendQueueLength = asked;
        final OutboundLink link = joined(8, 8, 0);
        assertTrue(link.post(32));
        assertTrue(link.wantsReaping());
        assertTrue(link.post(64));
        assertFalse(link.post(96));
        assertTrue((last().flags() & WorkFlags.SIGNALED) != 0, "the one that fills it");
        link.onCompletion(true);
        assertTrue(link.post(96));
        assertNull(link.breakReason());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, Errno.EINVAL})
    void shouldBreakWhenItsQueuePairRefuses(final int errno) {
        final OutboundLink link = joined(8, 8, 0);
        queuePair.result(errno);
        assertTrue(link.post(32), "nothing is left that could be posted");
        assertEquals(BreakReason.QUEUE_PAIR_ERROR, link.breakReason());
        queuePair.result(Errno.OK);
        assertTrue(link.post(64));
        assertEquals(0, queuePair.posts().size());
    }

    @Test
    void shouldBreakWhenAWriteFailedOrACompletionIsNotOurs() {
        final OutboundLink failed = joined(8, 8, 0);
        failed.onCompletion(false);
        assertEquals(BreakReason.COMPLETION_ERROR, failed.breakReason());
        final OutboundLink confused = joined(8, 8, 0);
        confused.onCompletion(true);
        assertEquals(BreakReason.COMPLETION_ERROR, confused.breakReason());
        confused.fail(BreakReason.DEVICE);
        assertEquals(BreakReason.COMPLETION_ERROR, confused.breakReason(), "the first reason stays");
    }

    @Test
    void shouldBelieveFeedbackThatGrowsWithinWhatWasPosted() {
        final OutboundLink link = joined(8, 8, 64);
        assertEquals(64, link.consumedPosition());
        link.post(512);
        consumed(64);
        assertEquals(64, link.consumedPosition());
        consumed(320);
        assertEquals(320, link.consumedPosition());
        consumed(512);
        assertEquals(512, link.consumedPosition());
        assertNull(link.breakReason());
    }

    @ParameterizedTest
    @ValueSource(longs = {544, Long.MAX_VALUE, -1, Long.MIN_VALUE, 64, 288})
    void shouldBreakWhenTheConsumedPositionDoesNotAddUp(final long reported) {
        final OutboundLink link = joined(8, 8, 64);
        link.post(512);
        consumed(320);
        assertEquals(320, link.consumedPosition());
        consumed(reported);
        assertEquals(320, link.consumedPosition());
        assertEquals(BreakReason.BAD_FEEDBACK, link.breakReason());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4, -1, Long.MAX_VALUE, 7})
    void shouldBreakWhenTheReceivesDoNotAddUp(final long reported) {
        final OutboundLink link = joined(4, 1, 0);
        link.post(32);
        receives(5);
        assertTrue(link.post(64));
        receives(reported);
        assertTrue(link.post(96), "nothing is left that could be posted");
        assertEquals(BreakReason.BAD_FEEDBACK, link.breakReason());
        assertEquals(2, queuePair.posts().size());
    }

    /** The bytes between consumed and received are on the peer's ring, and still to be read there. */
    @Test
    void shouldGateAtConsumedAndPostFromReceivedWhenItIsResumed() {
        final OutboundLink link = link(8, 8, 640, 320);
        assertEquals(320, link.consumedPosition());
        assertEquals(640, link.postedPosition());
        link.post(704);
        assertEquals(64, last().length());
        assertEquals(RING + 640, last().remoteAddress());
        consumed(352);
        assertEquals(352, link.consumedPosition());
        assertNull(link.breakReason());
    }

    @Test
    void shouldJoinOnce() {
        final OutboundLink link = link(8, 8, OutboundLink.UNSET, 0);
        assertEquals(OutboundLink.UNSET, link.joinPosition());
        link.join(96);
        link.join(160);
        assertEquals(96, link.joinPosition());
        assertEquals(96, link.consumedPosition());
    }

    @Test
    void shouldCountOncePerWriteThatATailHadToWaitForThePeer() {
        final OutboundLink link = joined(2, 8, 0);
        link.post(32);
        link.post(64);
        assertEquals(0, link.deferrals().receiverNotReady());
        link.post(96);
        link.post(128);
        assertEquals(1, link.deferrals().receiverNotReady());
        receives(3);
        link.post(160);
        link.post(192);
        assertEquals(2, link.deferrals().receiverNotReady());
        assertEquals(0, link.deferrals().sendQueueFull());
        receives(0);
        final OutboundLink next = joined(1, 8, 192);
        next.countOn(link);
        next.post(224);
        next.post(256);
        assertEquals(3, next.deferrals().receiverNotReady(), "over all epochs");
    }

    @Test
    void shouldCountThatATailHadToWaitForTheSendQueue() {
        queuePair = new StubQueuePair(2, INLINE);
        final OutboundLink link = joined(8, 8, 0);
        link.post(32);
        link.post(64);
        link.post(96);
        link.post(128);
        assertEquals(1, link.deferrals().sendQueueFull());
        assertEquals(0, link.deferrals().receiverNotReady());
        link.fail(BreakReason.ADMINISTRATIVE);
        link.post(160);
        assertEquals(1, link.deferrals().sendQueueFull(), "a broken link waits for nothing");
    }
}
