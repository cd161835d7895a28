package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.agent.BackoffIdleStrategy;
import io.sluice.transport.agent.IdleStrategies;
import io.sluice.transport.stub.ManualEnvironment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsumerSleepTest {
    private static final int ENOUGH = 10_000;
    private static final long FIRST_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ManualEnvironment environment = new ManualEnvironment();
    private final RingSleepers ring = new RingSleepers(true, environment);
    private final ConsumerSleep sleep = add(ring, "blocking");
    private final RingSleepers restingRing = new RingSleepers(false, environment);
    private final ConsumerSleep resting = add(restingRing, "backoff");
    private int woken;

    private ConsumerSleep add(final RingSleepers sleepers, final String waitStrategy) {
        final BackoffIdleStrategy before = IdleStrategies.resting(waitStrategy, environment);
        return sleepers.add(before, before::isResting, false);
    }

    @BeforeEach
    void setWaker() {
        sleep.waker(() -> woken++);
        resting.waker(() -> woken++);
    }

    private void idle(final int cycles) {
        for (int i = 0; i < cycles; i++) {
            sleep.onLook();
            sleep.idle(0);
        }
    }

    @Test
    void shouldSpinForAWhileFirst() {
        idle(100);
        ring.wake();
        assertEquals(List.of(), environment.parksNs());
        assertEquals(0, woken, "nobody is woken who spins");
        idle(ENOUGH);
        assertFalse(environment.parksNs().isEmpty());
        ring.wake();
        assertEquals(1, woken);
    }

    /** A message that comes after the consumer's last look and before it says that it sleeps wakes nobody. */
    @Test
    void shouldLookOnceMoreBetweenSayingThatItSleepsAndSleeping() {
        int wokenBefore = woken;
        while (woken == wokenBefore) {
            assertEquals(List.of(), environment.parksNs());
            sleep.onLook();
            sleep.idle(0);
            wokenBefore = woken;
            ring.wake();
        }
        assertEquals(List.of(), environment.parksNs(), "it has said so, and not looked since");
        for (int i = 0; i < ENOUGH; i++) {
            sleep.idle(0);
        }
        assertEquals(List.of(), environment.parksNs());
        sleep.onLook();
        sleep.idle(0);
        assertEquals(1, environment.parksNs().size());
    }

    @Test
    void shouldSpinAgainAfterAMessage() {
        idle(ENOUGH);
        environment.parksNs().clear();
        sleep.idle(1);
        ring.wake();
        assertEquals(0, woken);
        idle(100);
        assertEquals(List.of(), environment.parksNs());
    }

    private void restUntilParkedFor(final long parkNs) {
        for (int i = 0; i < ENOUGH && !environment.parksNs().contains(parkNs); i++) {
            resting.onLook();
            resting.idle(0);
        }
        assertEquals(parkNs, environment.parksNs().getLast());
    }

    @Test
    void shouldBeWokenOnlyAfterASecondWithoutAMessageWhenItBacksOff() {
        restUntilParkedFor(TimeUnit.MILLISECONDS.toNanos(1));
        restingRing.wake();
        assertEquals(0, woken, "it looks by itself each millisecond");
        restUntilParkedFor(FIRST_SLEEP_NS);
        final long parkedNs = environment.parksNs().stream().mapToLong(Long::longValue).sum();
        assertTrue(parkedNs >= TimeUnit.SECONDS.toNanos(1), "parkedNs=" + parkedNs);
        restingRing.wake();
        assertEquals(1, woken);
    }

    /** No fence is passed by whoever moves on: what that did before it saw that the consumer sleeps must be found. */
    @Test
    void shouldLookOnceMoreAfterAShortSleepBeforeALongOneWhenItBacksOff() {
        restUntilParkedFor(FIRST_SLEEP_NS);
        environment.parksNs().clear();
        resting.onLook();
        resting.idle(0);
        assertEquals(List.of(LONGEST_SLEEP_NS), environment.parksNs());

        resting.idle(1);
        restingRing.wake();
        assertEquals(0, woken, "a message has ended the rest");
        environment.parksNs().clear();
        restUntilParkedFor(FIRST_SLEEP_NS);
    }
}
