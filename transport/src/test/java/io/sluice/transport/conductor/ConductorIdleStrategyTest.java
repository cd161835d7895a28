package io.sluice.transport.conductor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.send.ExclusivePoster;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.stub.StubControlDevice;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The time for which the conductor sleeps while peers talk, while nothing happens, and while nothing has happened for
 * long.
 */
class ConductorIdleStrategyTest {
    private static final long CALM_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long REST_NS = SteppedConductor.HEARTBEAT_INTERVAL_NS / 2;

    private final SteppedConductor stepped = new SteppedConductor(new StubControlDevice());
    private final ConductorIdleStrategy strategy =
        new ConductorIdleStrategy(stepped.environment(), stepped.conductor());

    private List<Long> idle(final int times) {
        stepped.environment().parksNs().clear();
        for (int i = 0; i < times; i++) {
            strategy.idle(0);
        }
        return stepped.environment().parksNs();
    }

    @Test
    void shouldRestWhenNothingHasHappenedForAWhileAndNoLonger() {
        final List<Long> parksNs = idle(100);
        final int first = parksNs.indexOf(REST_NS);
        final List<Long> before = parksNs.subList(0, first);
        assertTrue(before.stream().mapToLong(Long::longValue).sum() >= CyclePace.REST_AFTER_NS, before::toString);
        assertTrue(before.stream().allMatch(parkNs -> parkNs <= CALM_NS), before::toString);
        assertEquals(REST_NS, parksNs.getLast());

        final SendLog log = stepped.publication().log();
        log.commit(log.claim(32, Long.MAX_VALUE), 32, FrameDescriptor.DATA_TYPE, 0);
        assertEquals(List.of(REST_NS), idle(1), "messages that flow need no conductor");

        strategy.idle(1);
        assertTrue(idle(20).stream().allMatch(parkNs -> parkNs <= CALM_NS), "work ends the rest");
    }

    /** A program's own loop, in whose next turn nothing else would be due. */
    @Test
    void shouldFindWorkAtOnceWhenAnOfferIsRefusedWhileItRests() {
        for (int i = 0; i < 30; i++) {
            stepped.step();
        }
        assertEquals(0, stepped.conductor().doWork());
        final ExclusivePoster poster = (ExclusivePoster) stepped.publication().poster();
        poster.onBackPressured(0);
        assertEquals(1, stepped.conductor().doWork());
        assertEquals(0, stepped.conductor().doWork());
    }
}
