package io.sluice.transport.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.buffer.RemoteMemory;
import io.sluice.transport.carrier.Offers;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.transport.stub.StubQueuePair;
import io.sluice.transport.stub.StubRegion;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** An offer to one peer that looks at the frames itself leaves out steps of a post: not where they are due. */
class ExclusiveOffersTest {
    private static final int WINDOW = 4096;
    private static final int FRAME = 64;

    private final StubRegion region = new StubRegion(WINDOW);
    private final StubRegion cell = new StubRegion(64);
    private final StubQueuePair queuePair = new StubQueuePair(64, 0);
    private final SendLog log = new SendLog(region, 0, 0);
    private final ExclusivePoster poster =
        new ExclusivePoster(log, new StubCompletionQueue(), new LiveCounters(), () -> { });
    private final Offers offers = poster.newOffers();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[32]);

    private OutboundLink link(final int index, final boolean memoryCompletion) {
        return new OutboundLink(new OutboundLinkParameters(
            queuePair, index, 1, region, cell,
            new PeerRing(new RemoteMemory(0, 12), WINDOW, 64, memoryCompletion, memoryCompletion),
            new SendLimits(8, 64, 1), LinkStart.FRESH));
    }

    private void use(final OutboundLink... links) {
        poster.links(links);
        poster.requestToken();
        poster.onFenced();
    }

    private void offer(final int times) {
        for (int i = 0; i < times; i++) {
            assertTrue(offers.offer(message, 0, message.capacity(), 0L) > 0);
        }
    }

    @Test
    void shouldNoteEachFrameForThePeerThatLooksItself() {
        final OutboundLink link = link(1, true);
        use(link);
        offer(1);
        assertEquals(FRAME, link.postedPosition());
        offer(2);
        assertEquals(3 * FRAME, link.postedPosition());
        assertTrue(poster.isFlushed());
        assertTrue(queuePair.posts().isEmpty());
    }

    @Test
    void shouldPostOnALinkThatComesLater() {
        final OutboundLink seesItself = link(1, true);
        final OutboundLink byWrites = link(2, false);
        use(seesItself);
        offer(2);
        use(seesItself, byWrites);
        offer(2);
        assertEquals(4 * FRAME, seesItself.postedPosition());
        assertEquals(4 * FRAME, byWrites.postedPosition());
        assertEquals(2, queuePair.posts().size());
    }

    @Test
    void shouldPostOnTheLinkThatTakesAnothersPlace() {
        use(link(1, true));
        offer(2);
        final OutboundLink byWrites = link(2, false);
        use(byWrites);
        offer(2);
        assertEquals(4 * FRAME, byWrites.postedPosition());
        assertEquals(2, queuePair.posts().size());
    }

    @Test
    void shouldTakeTheTokenBackFromTheConductor() {
        final OutboundLink link = link(1, true);
        use(link);
        offer(2);
        poster.requestToken();
        poster.onFenced();
        assertTrue(poster.flush(), "the conductor waits until the writing thread has not come by");
        offer(1);
        assertEquals(3 * FRAME, link.postedPosition());
        assertFalse(poster.flush());
    }

    @Test
    void shouldReapWhenThatIsAskedFor() {
        use(link(1, true));
        offer(2);
        final AtomicInteger drained = new AtomicInteger();
        poster.drainSends(drained::incrementAndGet);
        poster.requestToken();
        offer(1);
        assertEquals(1, drained.get());
    }

    @Test
    void shouldNoteNothingForALinkThatIsBroken() {
        final OutboundLink link = link(1, true);
        use(link);
        offer(2);
        link.fail(BreakReason.BAD_FEEDBACK);
        offer(1);
        assertEquals(2 * FRAME, link.postedPosition());
    }

    @Test
    void shouldPadAsFarAsAMessageOfThatLengthReaches() {
        final OutboundLink link = link(1, true);
        use(link);
        assertEquals(FRAME, offers.pad(message.capacity()));
        assertEquals(FRAME, link.postedPosition());
        assertFalse(offers.isClaimOpen());
        assertEquals(0, log.messages());
        offer(1);
        assertEquals(2 * FRAME, offers.position());
    }
}
