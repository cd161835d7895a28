package io.sluice.transport.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.receive.LatencyHistogram;
import io.sluice.transport.receive.RecordedLatencies;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The percentiles of latencies, beside the library whose buckets they are counted in. */
class LatencyWindowTest {
    private static final double[] PARTS = {0.5, 0.99, 0.999, 1};
    private static final long LONGEST_NS = 20_000_000;
    private static final long BEGIN_NS = 5;

    private final LatencyHistogram histogram = RecordedLatencies.newHistogram();
    private final LatencyWindow window = new LatencyWindow(BEGIN_NS);
    private long nowNs = BEGIN_NS - LatencyWindow.LOOK_INTERVAL_NS;

    private void look() {
        nowNs += LatencyWindow.LOOK_INTERVAL_NS;
        assertTrue(window.look(histogram, nowNs));
    }

    private void record(final int count, final Histogram... others) {
        for (int i = 0; i < count; i++) {
            final long latencyNs = ThreadLocalRandom.current().nextLong(LONGEST_NS) >>> i % 10;
            RecordedLatencies.record(histogram, latencyNs);
            for (final Histogram other : others) {
                other.recordValue(latencyNs);
            }
        }
    }

    private static Histogram newExpected() {
        return new Histogram(3_600_000_000_000L, 2);
    }

    private void assertRecent(final Histogram expected) {
        for (final double part : PARTS) {
            assertEquals(Math.min(expected.getValueAtPercentile(100 * part), histogram.maxNs()),
                window.recentPercentileNs(part), () -> "part=" + part);
        }
    }

    private void assertAll(final Histogram expected) {
        assertEquals(expected.getTotalCount(), window.messages());
        for (final double part : PARTS) {
            assertEquals(Math.min(expected.getValueAtPercentile(100 * part), histogram.maxNs()),
                window.percentileNs(part), () -> "part=" + part);
        }
    }

    @Test
    void shouldTellNothingOfNoMessages() {
        look();
        for (final double part : PARTS) {
            assertEquals(LatencyWindow.NONE, window.percentileNs(part));
            assertEquals(LatencyWindow.NONE, window.recentPercentileNs(part));
        }
        assertEquals(0, window.messages());
    }

    @Test
    void shouldTellTheOnlyLatencyExactly() {
        RecordedLatencies.record(histogram, 1_234_567);
        look();
        for (final double part : PARTS) {
            assertEquals(1_234_567, window.percentileNs(part));
            assertEquals(1_234_567, window.recentPercentileNs(part));
        }
    }

    @Test
    void shouldTellThePercentilesOfAllAndOfTheLastTenLooks() {
        final Histogram all = newExpected();
        record(20_000, all);
        look();
        final Histogram recent = newExpected();
        for (int i = 0; i < LatencyWindow.LOOKS; i++) {
            record(1_000, all, recent);
            look();
        }
        assertRecent(recent);
        assertAll(all);
    }

    @Test
    void shouldForgetInTheRecentOnesWhatIsTenLooksAgo() {
        final Histogram all = newExpected();
        record(5, all);
        look();
        for (int i = 1; i < LatencyWindow.LOOKS; i++) {
            look();
            assertRecent(all);
        }
        look();
        assertEquals(LatencyWindow.NONE, window.recentPercentileNs(1));
        assertAll(all);
    }

    @Test
    void shouldLookOnceASecond() {
        look();
        RecordedLatencies.record(histogram, 7);
        assertFalse(window.look(histogram, nowNs + LatencyWindow.LOOK_INTERVAL_NS - 1));
        assertEquals(0, window.messages());
        look();
        assertEquals(1, window.messages());
    }

    @Test
    void shouldForgetWhatIsTenSecondsAgoWhenTheConductorStoodStill() {
        final Histogram all = newExpected();
        record(5, all);
        look();
        nowNs += 60 * LatencyWindow.LOOK_INTERVAL_NS;
        final Histogram recent = newExpected();
        record(7, all, recent);
        look();
        assertRecent(recent);
        assertAll(all);
    }

    @Test
    void shouldTellNothingBeforeItsTurn() {
        RecordedLatencies.record(histogram, 7);
        assertFalse(window.look(histogram, BEGIN_NS - 1));
        assertEquals(LatencyWindow.NONE, window.percentileNs(1));
        assertTrue(window.look(histogram, BEGIN_NS));
        assertEquals(7, window.percentileNs(1));
    }
}
