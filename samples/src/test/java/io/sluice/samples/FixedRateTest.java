package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FixedRateTest {
    private static final long START_NS = -500;
    private static final long MILLISECOND_NS = 1_000_000;
    private static final int LENGTH = 16;

    private long nowNs = START_NS;

    @Test
    void shouldSendTheFirstMessageAtOnce() {
        final FixedRate schedule = started(1000);
        assertTrue(schedule.isDue(START_NS));
        assertEquals(START_NS, schedule.dueNs());
    }

    @Test
    void shouldKeepEqualDistances() {
        final FixedRate schedule = started(1000);
        schedule.onSent(START_NS);
        assertFalse(schedule.isDue(START_NS + MILLISECOND_NS - 1));
        assertTrue(schedule.isDue(START_NS + MILLISECOND_NS));
    }

    @Test
    void shouldNotDriftWhereTheIntervalIsNoWholeNumber() {
        final FixedRate schedule = started(3);
        for (int i = 0; i < 3_000; i++) {
            schedule.onSent(schedule.dueNs());
        }
        assertEquals(START_NS + 1_000 * 1_000 * MILLISECOND_NS, schedule.dueNs());
        assertEquals(0, schedule.late());
    }

    @Test
    void shouldNotMoveLaterMessagesWhenOneIsLate() {
        final FixedRate schedule = started(1000);
        schedule.onSent(START_NS + 10 * MILLISECOND_NS);
        assertEquals(START_NS + MILLISECOND_NS, schedule.dueNs());
    }

    @Test
    void shouldTellHowFarTheSenderFellBehind() {
        final FixedRate schedule = started(1000);
        schedule.onSent(START_NS + MILLISECOND_NS);
        schedule.onSent(START_NS + 5 * MILLISECOND_NS);
        schedule.onSent(START_NS + 5 * MILLISECOND_NS);
        schedule.onSent(START_NS + 5 * MILLISECOND_NS);
        assertEquals(3, schedule.late());
        assertEquals(4 * MILLISECOND_NS, schedule.worstLatenessNs());
        assertEquals(4, schedule.sent());
    }

    @Test
    void shouldChargeAStallToTheMessagesThatItHeldUp() {
        final Histogram histogram = new Histogram(1_000 * MILLISECOND_NS, 3);
        final PongHandler pongs = new PongHandler(histogram, () -> nowNs, LENGTH, 0);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final FixedRate schedule = started(1000);
        // Everything is answered at once; only for the first 10 ms the thread does not run.
        nowNs += 10 * MILLISECOND_NS;
        while (schedule.sent() < 20) {
            if (schedule.isDue(nowNs)) {
                pongs.nextPing(message, schedule.dueNs());
                schedule.onSent(nowNs);
                pongs.onFragment(message, 0, LENGTH, null);
            } else {
                nowNs += MILLISECOND_NS / 10;
            }
        }
        // The first one waited for 10 ms, the next for 9 ms, and so on until the schedule was met again.
        assertEquals(10 * MILLISECOND_NS, histogram.getMaxValue(), histogram.sizeOfEquivalentValueRange(10_000_000));
        assertEquals(10, histogram.getCountBetweenValues(MILLISECOND_NS / 2, 11 * MILLISECOND_NS));
        assertEquals(10, histogram.getCountAtValue(0));
        assertEquals(9, schedule.late());
    }

    /** Nine thousand million messages, times the nanoseconds of a second, are as many as a long holds. */
    @Test
    void shouldKeepTheRateForAsManyMessagesAsThereMayBe() {
        assertEquals(9_300_000 * MILLISECOND_NS, FixedRate.afterNs(9_300_000_000L, 1_000_000));
        assertEquals(9_300_000_000L * MILLISECOND_NS + 1, FixedRate.afterNs(9_300_000_000_000_001L, 1_000_000_000));
    }

    private FixedRate started(final long rate) {
        final FixedRate schedule = new FixedRate(rate);
        schedule.start(START_NS);
        return schedule;
    }
}
