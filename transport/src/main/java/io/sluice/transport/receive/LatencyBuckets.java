package io.sluice.transport.receive;

/**
 * The buckets in which latencies are counted, those of HdrHistogram for two significant digits from 1 ns to an hour:
 * below 256 ns one for each nanosecond, above that 128 between a power of two and the next. Stateless; any thread.
 */
public final class LatencyBuckets {
    /** The longest latency in nanoseconds that is told from longer ones: an hour, in which everything is over. */
    public static final long MAX_LATENCY_NS = 3_600_000_000_000L;

    private static final int HALF_COUNT_SHIFT = 7;
    private static final int UNIT_BITS = HALF_COUNT_SHIFT + 1;
    private static final long UNIT_MASK = (1L << UNIT_BITS) - 1;

    /** The number of buckets. */
    public static final int COUNT = indexOf(MAX_LATENCY_NS) + 1;

    private LatencyBuckets() {
    }

    /**
     * The bucket of a latency.
     *
     * @param latencyNs 0 to {@link #MAX_LATENCY_NS}.
     * @return 0 to {@link #COUNT} - 1.
     */
    public static int indexOf(final long latencyNs) {
        final int shift = Long.SIZE - UNIT_BITS - Long.numberOfLeadingZeros(latencyNs | UNIT_MASK);
        return (shift << HALF_COUNT_SHIFT) + (int) (latencyNs >>> shift);
    }

    /**
     * The longest latency of a bucket, less than one percent above the shortest.
     *
     * @param index 0 to {@link #COUNT} - 1.
     * @return nanoseconds.
     */
    public static long highestNs(final int index) {
        final int shift = Math.max(0, (index >>> HALF_COUNT_SHIFT) - 1);
        return ((index - ((long) shift << HALF_COUNT_SHIFT) + 1) << shift) - 1;
    }
}
