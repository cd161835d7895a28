package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.stub.ManualEnvironment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RestingIdleStrategyTest {
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int ENOUGH = 4_000;

    private final ManualEnvironment environment = new ManualEnvironment();
    private final RestingIdleStrategy strategy = new RestingIdleStrategy(environment);

    private List<Long> idle(final int times) {
        environment.parksNs().clear();
        for (int i = 0; i < times; i++) {
            strategy.idle(0);
        }
        return environment.parksNs();
    }

    @Test
    void shouldRestAfterASecondWithoutWorkUntilThereIsSome() {
        final List<Long> parksNs = List.copyOf(idle(ENOUGH));
        assertEquals(REST_NS, parksNs.getLast());
        final long beforeNs =
            parksNs.stream().takeWhile(parkNs -> parkNs < REST_NS).mapToLong(Long::longValue).sum();
        assertTrue(beforeNs >= TimeUnit.SECONDS.toNanos(1), "beforeNs=" + beforeNs);

        strategy.idle(1);
        assertEquals(List.of(), idle(1), "it spins again");
        strategy.reset();
        assertTrue(idle(ENOUGH / 2).stream().allMatch(parkNs -> parkNs < REST_NS));
    }
}
