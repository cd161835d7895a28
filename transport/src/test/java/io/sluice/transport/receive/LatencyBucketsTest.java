package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The buckets beside those of the library that has defined them. */
class LatencyBucketsTest {
    private static final int RANDOM_VALUES = 10_000;
    private static final int POWERS = 42;

    private final Histogram histogram = new Histogram(LatencyBuckets.MAX_LATENCY_NS, 2);

    /** Values around the powers of two, where buckets grow, and others. */
    private static LongStream latencies() {
        final LongStream edges = LongStream.range(0, POWERS).map(power -> 1L << power)
            .flatMap(value -> LongStream.rangeClosed(value - 1, value + 1));
        final LongStream others = ThreadLocalRandom.current().longs(
            RANDOM_VALUES, 0, LatencyBuckets.MAX_LATENCY_NS + 1).map(value -> value >>> value % POWERS);
        return LongStream.concat(LongStream.of(LatencyBuckets.MAX_LATENCY_NS), LongStream.concat(edges, others))
            .filter(value -> value <= LatencyBuckets.MAX_LATENCY_NS);
    }

    @Test
    void shouldEndABucketWhereHdrHistogramDoes() {
        latencies().forEach(latencyNs -> assertEquals(histogram.highestEquivalentValue(latencyNs),
            LatencyBuckets.highestNs(LatencyBuckets.indexOf(latencyNs)), () -> "latencyNs=" + latencyNs));
    }

    @Test
    void shouldGiveEachBucketANumberOfItsOwnWithoutGaps() {
        long lowest = 0;
        for (int index = 0; index < LatencyBuckets.COUNT; index++) {
            assertEquals(index, LatencyBuckets.indexOf(lowest));
            assertEquals(index, LatencyBuckets.indexOf(Math.min(
                LatencyBuckets.highestNs(index), LatencyBuckets.MAX_LATENCY_NS)));
            lowest = LatencyBuckets.highestNs(index) + 1;
        }
        assertEquals(LatencyBuckets.COUNT - 1, LatencyBuckets.indexOf(LatencyBuckets.MAX_LATENCY_NS));
    }
}
