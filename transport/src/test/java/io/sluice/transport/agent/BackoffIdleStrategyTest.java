package io.sluice.transport.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.stub.ManualEnvironment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time for which the strategy parks while a stream pauses and while it rests. */
class BackoffIdleStrategyTest {
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ManualEnvironment environment = new ManualEnvironment();
    private final BackoffIdleStrategy strategy = BackoffIdleStrategy.backoff(environment);

    private List<Long> idle(final int times) {
        return idle(strategy, times);
    }

    private List<Long> idle(final BackoffIdleStrategy idled, final int times) {
        environment.parksNs().clear();
        for (int i = 0; i < times; i++) {
            idled.idle(0);
        }
        return environment.parksNs();
    }

    @Test
    void shouldLookEachMillisecondForASecondAndThenRestUntilAMessageComes() {
        final List<Long> parksNs = idle(4000);
        final int first = parksNs.indexOf(REST_NS);
        assertTrue(first > 0, "it rests");
        final long pausedNs = parksNs.subList(0, first).stream().mapToLong(Long::longValue).sum();
        assertTrue(pausedNs >= TimeUnit.SECONDS.toNanos(1), "pausedNs=" + pausedNs);
        assertEquals(LONGEST_NS, parksNs.subList(0, first).stream().mapToLong(Long::longValue).max().orElseThrow());
        assertTrue(parksNs.subList(first, parksNs.size()).stream().allMatch(parkNs -> parkNs == REST_NS));

        strategy.idle(1);
        assertTrue(idle(3000).stream().allMatch(parkNs -> parkNs <= LONGEST_NS), "a message ends the rest");
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 1_000, 10_000})
    void shouldSpinForSomeTensOfMicrosecondsHoweverLongACycleIs(final long cycleNs) {
        int cycles = 0;
        for (environment.parksNs().clear(); environment.parksNs().isEmpty(); cycles++) {
            environment.advance(cycleNs);
            strategy.idle(0);
        }
        assertTrue(cycles * cycleNs >= 50_000 && cycles * cycleNs <= 100_000, "cycles=" + cycles);
        assertEquals(List.of(1_000L), environment.parksNs());

        strategy.idle(1);
        assertEquals(List.of(), idle(10), "a message ends the pause");
    }

    @Test
    void shouldSleepAlikeForASecondAndThenRestUntilAMessageComes() {
        final long sleepNs = TimeUnit.MICROSECONDS.toNanos(100);
        final int sleepsInASecond = 10_000;
        final BackoffIdleStrategy sleeping = BackoffIdleStrategy.sleeping(environment);
        final List<Long> parksNs = idle(sleeping, sleepsInASecond + 1);
        assertTrue(parksNs.subList(0, sleepsInASecond).stream().allMatch(parkNs -> parkNs == sleepNs));
        assertEquals(REST_NS, parksNs.getLast());

        sleeping.idle(1);
        assertEquals(List.of(sleepNs), idle(sleeping, 1), "a message ends the rest");
    }
}
