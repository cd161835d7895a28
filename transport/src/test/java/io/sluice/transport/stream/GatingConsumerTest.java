package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.lmax.disruptor.Sequence;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.MessageTimes;
import io.sluice.transport.status.ConsumerState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The time for which a consumer has been too slow, and whose doing it is. */
class GatingConsumerTest {
    private static final long MILLI = 1_000_000;
    private static final long RECOVERED_NS = PressureGauge.HOLD_NS;

    private final Sequence first = new Sequence();
    private final Sequence second = new Sequence();
    private final GatingConsumer consumer = consumer(first);
    private final GatingConsumer dependant = consumer(second, consumer);

    private static GatingConsumer consumer(final Sequence sequence, final GatingConsumer... predecessors) {
        final ConsumerProgress progress =
            new ConsumerProgress("name", sequence, MessageTimes.withoutLatency(() -> 0));
        return new GatingConsumer(progress, sequence, true, List.of(predecessors));
    }

    @Test
    void shouldCountFromWhenItFirstHeldSomebodyUp() {
        consumer.onFarBehind(false, 0);
        assertEquals(0, consumer.slowNs(5 * MILLI), "far behind, but nobody waits");
        consumer.onFarBehind(true, 5 * MILLI);
        consumer.onFarBehind(false, 6 * MILLI);
        consumer.onFarBehind(true, 7 * MILLI);
        assertEquals(4 * MILLI, consumer.slowNs(9 * MILLI));
    }

    @Test
    void shouldNotForgiveForTheMomentBetweenTwoBatches() {
        consumer.onFarBehind(true, 0);
        consumer.onKeepingUp(MILLI);
        consumer.onKeepingUp(RECOVERED_NS);
        consumer.onFarBehind(true, RECOVERED_NS + 1);
        consumer.onKeepingUp(RECOVERED_NS + 2);
        consumer.onKeepingUp(2 * RECOVERED_NS + 1);
        assertEquals(3 * RECOVERED_NS, consumer.slowNs(3 * RECOVERED_NS));
    }

    @Test
    void shouldForgiveWhoKeepsUpForAWhile() {
        consumer.onFarBehind(true, 0);
        consumer.onKeepingUp(MILLI);
        consumer.onKeepingUp(MILLI + RECOVERED_NS);
        assertEquals(0, consumer.slowNs(MILLI + RECOVERED_NS));
        consumer.onFarBehind(true, 2 * RECOVERED_NS);
        assertEquals(RECOVERED_NS, consumer.slowNs(3 * RECOVERED_NS), "counted anew");
    }

    @Test
    void shouldBlameTheOneThatIsWaitedForAndNotWhoWaits() {
        first.set(2);
        second.set(1);
        assertEquals(7, consumer.ownBacklog(9));
        assertEquals(1, dependant.ownBacklog(9));
        assertTrue(dependant.dependsOn(consumer));
        assertFalse(consumer.dependsOn(dependant));
        assertTrue(consumer(new Sequence(), dependant).dependsOn(consumer), "over another one");
    }

    @Test
    void shouldNotCountTheTimeInWhichItOnlyWaited() {
        dependant.onFarBehind(true, 0);
        dependant.onWaiting();
        assertEquals(0, dependant.slowNs(5 * MILLI));
        dependant.onFarBehind(true, 6 * MILLI);
        assertEquals(MILLI, dependant.slowNs(7 * MILLI), "from when it had something to do again");
    }

    @Test
    void shouldTakeNothingAnyMoreWhenItIsToldToLeave() {
        assertEquals(ConsumerState.NOT_STARTED, consumer.progress().state());
        consumer.progress().begin();
        consumer.progress().evict();
        assertEquals(ConsumerState.EVICTED, consumer.progress().state());
        assertFalse(consumer.hasLeft(), "it may still be in its handler");
        consumer.abandon();
        assertTrue(consumer.hasLeft());
        assertFalse(first.compareAndSet(0, 1), "whatever its thread does when it comes back");
    }
}
