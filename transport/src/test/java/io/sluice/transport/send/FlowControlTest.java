package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.send.FlowControl.Strategy;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import org.junit.jupiter.api.Test;

class FlowControlTest {
    private static final int WINDOW = 4096;
    private static final long TAIL = 4096;
    private static final long TAG = 7;
    private static final FlowControl MIN = FlowControl.min(1);
    private static final FlowControl MAX = new FlowControl(Strategy.MAX, FlowControl.NO_TAG, 0, 1);

    private static FlowControl tagged(final int minimum) {
        return new FlowControl(Strategy.TAGGED, TAG, minimum, 1);
    }

    private static OutboundLink link(final boolean gates, final long consumed) {
        final StubRegion cell = new StubRegion(64);
        final OutboundLink link = new OutboundLink(new OutboundLinkParameters(
            new StubQueuePair(64, 0), 1, 1, new StubRegion(WINDOW), cell,
            new PeerRing(new RemoteMemory(0, 12), WINDOW, 64, true, true), new SendLimits(64, 64, 1),
            LinkStart.FRESH), gates);
        link.join(0);
        link.post(TAIL);
        cell.buffer().putLong(FeedbackDescriptor.CONSUMED_POSITION_OFFSET, consumed);
        assertEquals(consumed, link.consumedPosition());
        return link;
    }

    private static OutboundLink[] links(final OutboundLink... links) {
        return links;
    }

    @Test
    void shouldWaitForTheSlowestOfAllWithMin() {
        assertTrue(MIN.gates(FlowControl.NO_TAG));
        assertTrue(MIN.gates(TAG));
        final OutboundLink[] links = links(link(true, 64), link(true, 2048));
        assertEquals(64 + WINDOW, MIN.limit(links, TAIL, WINDOW));
        assertFalse(MIN.leaveBehind(links, TAIL, WINDOW, 128 + WINDOW));
        assertFalse(links[0].isLeftBehind());
    }

    @Test
    void shouldRunAheadByHalfTheWindowWhereSomebodyMayBeLeftBehind() {
        assertEquals(WINDOW, MIN.usableWindow(links(link(true, 64)), WINDOW));
        assertEquals(WINDOW, tagged(0).usableWindow(links(link(true, 64), link(true, 128)), WINDOW));
        assertEquals(WINDOW / 2, tagged(0).usableWindow(links(link(true, 64), link(false, 128)), WINDOW));
        assertEquals(WINDOW / 2, MAX.usableWindow(links(link(false, 64)), WINDOW));
    }

    @Test
    void shouldNotBeConnectedWithoutLinks() {
        assertEquals(LogPoster.NOT_CONNECTED, MIN.limit(links(), TAIL, WINDOW));
        assertEquals(LogPoster.NOT_CONNECTED, MAX.limit(links(), TAIL, WINDOW));
        assertFalse(tagged(0).isConnected(links()));
    }

    @Test
    void shouldTakeTheTailForTheJoinPositionOfNewLinks() {
        final OutboundLink fresh = new OutboundLink(link(true, 64).parameters());
        assertEquals(TAIL + WINDOW, MIN.limit(links(fresh, link(true, TAIL)), TAIL, WINDOW));
        assertEquals(OutboundLink.UNSET, fresh.joinPosition());
    }

    /** A new link may join at a later tail, and what was sent before would be owed to nobody. */
    @Test
    void shouldNotBeConnectedBeforeALinkHasJoined() {
        final OutboundLink fresh = new OutboundLink(link(true, 64).parameters());
        assertEquals(LogPoster.NOT_CONNECTED, MIN.limit(links(fresh), TAIL, WINDOW));
        assertFalse(MIN.isConnected(links(fresh)));
        assertFalse(new FlowControl(Strategy.MIN, FlowControl.NO_TAG, 2, 1).isConnected(links(link(true, 0), fresh)));
        fresh.join(TAIL);
        assertTrue(MIN.isConnected(links(fresh)));
    }

    @Test
    void shouldLetTheFastestSetThePaceWithMax() {
        assertFalse(MAX.gates(TAG));
        final OutboundLink[] links = links(link(false, 3072), link(false, 2048));
        assertEquals(3072 + WINDOW / 2, MAX.limit(links, TAIL, WINDOW));
        assertFalse(MAX.leaveBehind(links, TAIL, WINDOW, 3072 + WINDOW / 2 + 32), "the fastest must be waited for");
        assertFalse(links[1].isLeftBehind());
    }

    @Test
    void shouldOverwriteNothingThatIsOwedToALaggardUntilItIsGone() {
        final OutboundLink fast = link(false, 4096);
        final OutboundLink slow = link(false, 512);
        assertEquals(512 + WINDOW, MAX.limit(links(fast, slow), TAIL, WINDOW));
        assertFalse(MAX.leaveBehind(links(fast, slow), TAIL, WINDOW, 512 + WINDOW), "it is not in the way yet");
        assertTrue(MAX.leaveBehind(links(fast, slow), TAIL, WINDOW, 544 + WINDOW));
        assertTrue(slow.isLeftBehind());
        assertFalse(fast.isLeftBehind());
        assertFalse(MAX.leaveBehind(links(fast, slow), TAIL, WINDOW, 544 + WINDOW), "asked for once");
        assertEquals(512 + WINDOW, MAX.limit(links(fast, slow), TAIL, WINDOW), "not before it is closed");
        assertEquals(4096 + WINDOW / 2, MAX.limit(links(fast), TAIL, WINDOW));
    }

    @Test
    void shouldWaitForTheSlowestOfTheGroupWithTagged() {
        final FlowControl tagged = tagged(0);
        assertTrue(tagged.gates(TAG));
        assertFalse(tagged.gates(TAG + 1));
        assertFalse(tagged.gates(FlowControl.NO_TAG));
        final OutboundLink first = link(true, 2048);
        final OutboundLink second = link(true, 3072);
        final OutboundLink other = link(false, 4096);
        final OutboundLink laggard = link(false, 32);
        assertEquals(2048 + WINDOW, tagged.limit(links(first, second), TAIL, WINDOW), "nobody else: the whole window");
        assertEquals(2048 + WINDOW / 2, tagged.limit(links(first, second, other), TAIL, WINDOW));
        assertFalse(tagged.leaveBehind(links(first, second, other), TAIL, WINDOW, 2048 + WINDOW / 2 + 32));
        assertEquals(32 + WINDOW, tagged.limit(links(second, laggard), TAIL, WINDOW));
        assertTrue(tagged.leaveBehind(links(second, laggard), TAIL, WINDOW, 64 + WINDOW));
        assertTrue(laggard.isLeftBehind());
        assertFalse(second.isLeftBehind());
    }

    @Test
    void shouldLetTheFastestSetThePaceWhileTheGroupIsEmpty() {
        assertEquals(3072 + WINDOW / 2, tagged(0).limit(links(link(false, 3072), link(false, 2048)), TAIL, WINDOW));
    }

    @Test
    void shouldKnowWhomItWaitsFor() {
        final OutboundLink slow = link(true, 64);
        final OutboundLink quick = link(true, 2048);
        assertSame(slow, MIN.awaited(links(quick, slow), WINDOW));
        final OutboundLink first = link(false, 4096);
        final OutboundLink second = link(false, 2048);
        assertSame(first, MAX.awaited(links(second, first), WINDOW), "the fastest");
        assertSame(slow, tagged(0).awaited(links(first, quick, slow, second), WINDOW), "the slowest of the group");
        assertSame(first, tagged(0).awaited(links(second, first), WINDOW), "while there is no group");
    }

    @Test
    void shouldWaitForWhoStandsInTheWayUntilItIsClosed() {
        final OutboundLink fast = link(false, 4096);
        final OutboundLink laggard = link(false, 2016);
        assertSame(laggard, MAX.awaited(links(fast, laggard, link(false, 2048)), WINDOW));
        assertSame(fast, MAX.awaited(links(fast, link(false, 2048)), WINDOW), "half a window behind is allowed");
    }

    @Test
    void shouldWaitForNobodyBeforeALinkHasJoined() {
        final OutboundLink fresh = new OutboundLink(link(true, 64).parameters());
        assertNull(MIN.awaited(links(fresh), WINDOW));
        assertNull(MAX.awaited(links(), WINDOW));
        final OutboundLink joined = link(true, 64);
        assertSame(joined, MIN.awaited(links(fresh, joined), WINDOW));
    }

    @Test
    void shouldNotBeConnectedBeforeTheGroupHasItsMinimum() {
        final FlowControl tagged = tagged(2);
        assertEquals(LogPoster.NOT_CONNECTED,
            tagged.limit(links(link(true, 0), link(false, 0), link(false, 0)), TAIL, WINDOW));
        assertFalse(tagged.isConnected(links(link(true, 0), link(false, 0))));
        assertTrue(tagged.isConnected(links(link(true, 0), link(true, 0))));
        final FlowControl min = new FlowControl(Strategy.MIN, FlowControl.NO_TAG, 2, 1);
        assertFalse(min.isConnected(links(link(true, 0))));
        assertTrue(min.isConnected(links(link(true, 0), link(true, 0))));
    }
}
