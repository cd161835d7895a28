package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.ManualEnvironment;
import io.sluice.transport.stub.StubEventDevice;
import io.sluice.transport.stub.StubRegion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.LangUtil;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rings and pollers over a feed that something else brings the bytes of than completions of verbs. */
class LinkFeedTest {
    private static final int WINDOW = 4096;
    private static final int FRAME = 64;

    private final ManualEnvironment environment = new ManualEnvironment();
    private final StubEventDevice device = new StubEventDevice();
    private final Feed feed = new Feed();
    private final EventRing ring = new EventRing(feed, 4, MessageTimes.withoutLatency(() -> 9));
    private final Poller poller = new Poller(0, Poller.NO_CPU, LangUtil::rethrowUnchecked, notice -> { })
        .waitingForEvents(environment, 0);
    private final IdleStrategy idleStrategy = poller.idleStrategy(null);

    /** A feed of one link, to whose ring a log is as good as copied when it is drained. */
    private static final class Feed extends LinkFeed {
        private final StubRegion region = new StubRegion(WINDOW);
        private final SendLog log = new SendLog(region, 0, 0);
        private final InboundLink link = new InboundLink(WINDOW, 0, 1, 0);
        private final InboundLink[] links = {link};
        private final List<String> calls = new ArrayList<>();
        private boolean isDrained = true;
        private boolean isHeldUp;

        private Feed() {
            link.reader().ring(region.buffer());
            link.positions().join(0);
            link.view(new UnusedView());
        }

        private void send() {
            log.commit(log.claim(FRAME, Long.MAX_VALUE), FRAME - 4, FrameDescriptor.DATA_TYPE, 0);
        }

        @Override
        public int drain() {
            final long before = link.positions().received();
            link.positions().received(log.tail());
            return before == log.tail() ? 0 : 1;
        }

        @Override
        public InboundLink[] links() {
            return links;
        }

        @Override
        public int activeLinkCount() {
            return links.length;
        }

        @Override
        public void maintain(final int workCount) {
            if (workCount > 0) {
                calls.add("maintain " + link.positions().consumed());
            }
        }

        @Override
        public void fail(final InboundLink failed, final BreakReason reason) {
            calls.add("fail " + reason + " at " + failed.positions().received());
        }

        @Override
        public boolean isDrained() {
            return isDrained;
        }

        @Override
        public boolean isHeldUp() {
            return isHeldUp;
        }

        @Override
        public boolean isIdleMaintenanceDue() {
            return link.positions().hasOutstandingEvents();
        }

        @Override
        public boolean arm() {
            calls.add("arm");
            return true;
        }

        @Override
        public void report() {
            calls.add("report");
        }
    }

    @BeforeEach
    void add() {
        poller.eventChannel(device);
        poller.add(ring);
    }

    private long published() {
        return ring.ring().getCursor() + 1;
    }

    private void step(final int count) {
        for (int i = 0; i < count; i++) {
            idleStrategy.idle(poller.doWork());
        }
    }

    @Test
    void shouldPutWhatTheFeedBringsOntoTheRing() {
        feed.send();
        feed.send();
        poller.doWork();
        assertEquals(2, published());
        assertEquals(9, ring.ring().get(0).receiveTimestampNs());
        assertEquals(List.of("maintain 0"), feed.calls);

        ring.consumerSequence().set(0);
        poller.doWork();
        assertEquals(List.of("maintain 0", "maintain " + feed.log.tail() / 2), feed.calls);
    }

    @Test
    void shouldHaveTheFeedBreakALinkWhoseFramesAreWrong() {
        feed.send();
        feed.region.buffer().putLong(FrameDescriptor.LENGTH_OFFSET, 0);
        poller.doWork();

        assertEquals(0, published());
        assertEquals("fail BAD_FRAME at 0", feed.calls.getFirst());
    }

    @Test
    void shouldSleepWhenTheFeedIsArmedAndHasNothing() {
        step(2);
        assertEquals(List.of("arm"), feed.calls);
        assertEquals(List.of(PollerSleep.LONGEST_SLEEP_NS), device.sleepsNs());

        step(1);
        assertEquals(List.of("arm", "report", "arm"), feed.calls);
    }

    @Test
    void shouldNotSleepWhileTheFeedIsHeldUpOrNotLookedThrough() {
        feed.isHeldUp = true;
        step(3);
        assertEquals(List.of(), feed.calls);
        feed.isHeldUp = false;
        feed.isDrained = false;
        step(2);
        assertEquals(List.of("arm"), feed.calls);
        assertEquals(List.of(), device.sleepsNs());
    }

    @Test
    void shouldWakeThePollerThatIsAboutToSleep() {
        step(1);
        feed.wake();
        step(1);
        assertEquals(List.of(), device.sleepsNs());
    }
}
