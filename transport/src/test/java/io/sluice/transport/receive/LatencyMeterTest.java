package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyMeterTest {
    private static final long SLOW_NS = LatencyMeter.QUICK_NS;
    private static final long QUICK_NS = LatencyMeter.QUICK_NS / 4;

    private final LatencyHistogram histogram = new LatencyHistogram("books");
    private long nowNs = 1_000;
    private int readings;
    private final LatencyMeter meter = new LatencyMeter(() -> {
        readings++;
        return nowNs;
    }, histogram);

    private long countOf(final long latencyNs) {
        return histogram.count(LatencyBuckets.indexOf(latencyNs));
    }

    private long messages() {
        long messages = 0;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            messages += histogram.count(i);
        }
        return messages;
    }

    private void handle(final int count, final long eachNs) {
        for (int i = 0; i < count; i++) {
            final long offeredNs = nowNs;
            nowNs += eachNs;
            meter.onHandled(offeredNs);
        }
    }

    @Test
    void shouldReadTheClockForEachSlowMessage() {
        readings = 0;
        handle(20, SLOW_NS);
        assertEquals(20, readings);
        assertEquals(20, countOf(SLOW_NS));
    }

    @Test
    void shouldReadTheClockOnceForSeveralQuickMessages() {
        handle(1, QUICK_NS);
        readings = 0;
        handle(3 * LatencyMeter.MAX_WAITING, QUICK_NS);
        assertEquals(3, readings);
        assertEquals(1 + 3 * LatencyMeter.MAX_WAITING, messages());
        assertEquals(3, countOf(LatencyMeter.MAX_WAITING * QUICK_NS), "the first of each eight");
    }

    @Test
    void shouldReadTheClockForEachAgainWhenMessagesBecomeSlow() {
        handle(1 + LatencyMeter.MAX_WAITING, QUICK_NS);
        handle(LatencyMeter.MAX_WAITING, SLOW_NS);
        readings = 0;
        handle(3, SLOW_NS);
        assertEquals(3, readings);
    }

    @Test
    void shouldCountWhatWaitsAtTheEndOfABatch() {
        handle(4, QUICK_NS);
        assertEquals(1, messages());
        meter.endBatch();
        assertEquals(4, messages());
        readings = 0;
        meter.endBatch();
        assertEquals(0, readings);
    }

    @Test
    void shouldMeasureNothingWithoutATimestamp() {
        readings = 0;
        meter.onHandled(EventSlot.NOT_STAMPED);
        meter.endBatch();
        assertEquals(0, readings);
        assertEquals(0, messages());
    }

    @Test
    void shouldCountAsZeroWhatComesBeforeItWasOffered() {
        meter.onHandled(nowNs + 5);
        assertEquals(1, histogram.negatives());
        assertEquals(1, countOf(0));
        assertEquals(0, histogram.maxNs());
    }

    @Test
    void shouldCountAsAnHourWhatTakesLonger() {
        meter.onHandled(nowNs - 2 * LatencyBuckets.MAX_LATENCY_NS);
        assertEquals(1, countOf(LatencyBuckets.MAX_LATENCY_NS));
        assertEquals(LatencyBuckets.MAX_LATENCY_NS, histogram.maxNs());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE + 1, -100_000_000_000_000L, 100_000_000_000_000L, Long.MAX_VALUE})
    void shouldNotTakeForATimeWhatIsMoreThanADay(final long offeredNs) {
        meter.onHandled(offeredNs);
        assertEquals(0, messages());
        assertEquals(0, histogram.negatives());
        assertEquals(0, histogram.maxNs());
    }

    @Test
    void shouldReadTheClockForTheFirstMessageOfEachBatch() {
        handle(1 + LatencyMeter.MAX_WAITING, QUICK_NS);
        meter.endBatch();
        readings = 0;
        handle(1, SLOW_NS);
        assertEquals(1, readings);
    }
}
