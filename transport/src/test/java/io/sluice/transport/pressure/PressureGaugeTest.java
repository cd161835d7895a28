package io.sluice.transport.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;
import org.junit.jupiter.api.Test;

class PressureGaugeTest {
    private static final long BEGIN_NS = 1_000;
    private static final BackPressureCause CAUSE = BackPressureCause.WINDOW_EXHAUSTED;

    private final PressureGauge gauge = new PressureGauge(BEGIN_NS);

    private void assertState(final PressureState state, final BackPressureCause cause, final long changes) {
        assertEquals(state, gauge.state());
        assertEquals(cause, gauge.cause());
        assertEquals(changes, gauge.changes());
    }

    @Test
    void shouldRiseAtOnce() {
        assertTrue(gauge.raise(PressureState.PRESSURED, CAUSE, BEGIN_NS + 5));
        assertState(PressureState.PRESSURED, CAUSE, 1);
        assertEquals(5, gauge.durationNs());
        assertTrue(gauge.raise(PressureState.BLOCKED, BackPressureCause.RING_FULL, BEGIN_NS + 12));
        assertState(PressureState.BLOCKED, BackPressureCause.RING_FULL, 2);
        assertEquals(PressureState.PRESSURED, gauge.previous());
        assertEquals(7, gauge.durationNs());
    }

    @Test
    void shouldNotTellTheSameTwiceNorFallToALowerPressure() {
        gauge.raise(PressureState.BLOCKED, CAUSE, BEGIN_NS);
        assertFalse(gauge.raise(PressureState.BLOCKED, BackPressureCause.RING_FULL, BEGIN_NS + 1));
        assertState(PressureState.BLOCKED, BackPressureCause.RING_FULL, 1);
        assertFalse(gauge.raise(PressureState.BLOCKED, CAUSE, BEGIN_NS + 1));
        assertFalse(gauge.raise(PressureState.PRESSURED, BackPressureCause.RING_FULL, BEGIN_NS + 2));
        assertState(PressureState.BLOCKED, CAUSE, 1);
    }

    @Test
    void shouldTellOfTheOverrunOfACompletionQueueWhateverHeldUpBefore() {
        gauge.raise(PressureState.BLOCKED, CAUSE, BEGIN_NS);
        assertTrue(gauge.raise(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, BEGIN_NS + 1));
        assertState(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, 2);
        assertEquals(PressureState.BLOCKED, gauge.previous());
        assertFalse(gauge.raise(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, BEGIN_NS + 2), "once");
        assertState(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, 2);
    }

    @Test
    void shouldKeepTheOverrunOfACompletionQueueUntilItIsToldWhateverHoldsUpSince() {
        assertFalse(gauge.isOverrunUntold());
        gauge.raise(PressureState.PRESSURED, CAUSE, BEGIN_NS + 1);
        assertFalse(gauge.isOverrunUntold(), "no completion queue's");
        gauge.raise(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, BEGIN_NS + 5);
        assertFalse(gauge.raise(PressureState.BLOCKED, CAUSE, BEGIN_NS + 6));
        assertState(PressureState.BLOCKED, CAUSE, 2);
        assertTrue(gauge.end(BEGIN_NS + 9));

        assertTrue(gauge.isOverrunUntold());
        assertEquals(PressureState.PRESSURED, gauge.beforeOverrun());
        assertEquals(4, gauge.beforeOverrunNs());

        gauge.overrunTold();
        assertFalse(gauge.isOverrunUntold());
        gauge.raise(PressureState.BLOCKED, BackPressureCause.CQ_OVERRUN, BEGIN_NS + 10);
        assertTrue(gauge.isOverrunUntold(), "another one");
    }

    @Test
    void shouldFallWhenThereHasBeenRoomForAWhile() {
        gauge.raise(PressureState.BLOCKED, CAUSE, BEGIN_NS);
        assertFalse(gauge.settle(BEGIN_NS + 1));
        assertFalse(gauge.settle(BEGIN_NS + PressureGauge.HOLD_NS));
        assertTrue(gauge.settle(BEGIN_NS + PressureGauge.HOLD_NS + 1));
        assertState(PressureState.CLEAR, BackPressureCause.NONE, 2);
        assertEquals(PressureState.BLOCKED, gauge.previous());
        assertEquals(CAUSE, gauge.lastCause());
        assertEquals(PressureGauge.HOLD_NS + 1, gauge.durationNs());
    }

    @Test
    void shouldNotFlapWhereRoomComesAndGoes() {
        gauge.raise(PressureState.PRESSURED, CAUSE, BEGIN_NS);
        long nowNs = BEGIN_NS;
        for (int i = 0; i < 100; i++) {
            assertFalse(gauge.settle(nowNs += PressureGauge.HOLD_NS / 2));
            gauge.hold();
            assertFalse(gauge.settle(nowNs += PressureGauge.HOLD_NS / 2));
            assertFalse(gauge.raise(PressureState.PRESSURED, CAUSE, nowNs));
        }
        assertState(PressureState.PRESSURED, CAUSE, 1);
    }

    @Test
    void shouldEndAtOnceAndOnce() {
        assertFalse(gauge.end(BEGIN_NS + 1));
        gauge.raise(PressureState.PRESSURED, CAUSE, BEGIN_NS + 2);
        assertTrue(gauge.end(BEGIN_NS + 3));
        assertFalse(gauge.end(BEGIN_NS + 4));
        assertState(PressureState.CLEAR, BackPressureCause.NONE, 2);
    }

    @Test
    void shouldStayClearWhereThereIsRoom() {
        assertFalse(gauge.settle(BEGIN_NS + 2 * PressureGauge.HOLD_NS));
        gauge.hold();
        assertFalse(gauge.settle(BEGIN_NS + 9 * PressureGauge.HOLD_NS));
        assertState(PressureState.CLEAR, BackPressureCause.NONE, 0);
    }
}
