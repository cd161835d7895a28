package io.sluice.transport.conductor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CyclePaceTest {
    private static final long REST_INTERVAL_NS = 50_000_000L;
    private static final long START_NS = -5_000L;

    private final CyclePace pace = new CyclePace(START_NS, REST_INTERVAL_NS);

    @Test
    void shouldBeDueAtOnceAtFirst() {
        assertTrue(pace.isDue(START_NS, false));
    }

    @Test
    void shouldBeDueInEachCycleRightAfterWork() {
        pace.onCycle(START_NS);
        pace.onWork(START_NS);

        assertTrue(pace.isDue(START_NS + 1, false));
        assertTrue(pace.isDue(START_NS + CyclePace.BUSY_NS - 1, false));
    }

    @Test
    void shouldBeDueOnceAMillisecondWhenThereWasWorkWithinASecond() {
        pace.onWork(START_NS);
        final long cycleNs = START_NS + CyclePace.BUSY_NS;
        pace.onCycle(cycleNs);

        assertFalse(pace.isDue(cycleNs + CyclePace.CALM_INTERVAL_NS - 1, false));
        assertTrue(pace.isDue(cycleNs + CyclePace.CALM_INTERVAL_NS, false));
    }

    @Test
    void shouldBeDueAsRarelyAsAThreadWakesWhenThereWasNoWorkForASecond() {
        pace.onWork(START_NS);
        final long cycleNs = START_NS + CyclePace.REST_AFTER_NS;
        pace.onCycle(cycleNs);

        assertFalse(pace.isDue(cycleNs + REST_INTERVAL_NS - 1, false));
        assertTrue(pace.isDue(cycleNs + REST_INTERVAL_NS, false));
    }

    @Test
    void shouldLeaveAConductorAloneThatOnlyFlushes() {
        pace.onCycle(START_NS);
        pace.onWork(START_NS);

        assertFalse(pace.isDue(START_NS + 1, true));
    }
}
