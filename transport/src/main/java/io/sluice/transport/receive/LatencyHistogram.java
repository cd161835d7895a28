package io.sluice.transport.receive;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The latencies of a subscription's messages at one stage of their way, counted since the subscription was added. One
 * thread records, with plain stores; any thread reads, perhaps late.
 */
public final class LatencyHistogram {
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle MAX;
    private static final VarHandle NEGATIVES;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            MAX = lookup.findVarHandle(LatencyHistogram.class, "maxNs", long.class);
            NEGATIVES = lookup.findVarHandle(LatencyHistogram.class, "negatives", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /**
     * The largest difference in nanoseconds that is taken for a time, a day: what a hostile peer says, or stands in a
     * frame that is written over, is none.
     */
    private static final long MAX_DIFFERENCE_NS = 86_400_000_000_000L;

    private final String consumer;
    private final long[] counts = new long[LatencyBuckets.COUNT];
    private long maxNs;
    private long negatives;

    /**
     * An empty histogram.
     *
     * @param consumer that has handled the messages; null when they have only arrived.
     */
    LatencyHistogram(final String consumer) {
        this.consumer = consumer;
    }

    /** {@return the consumer that has handled the messages; null when they have only arrived} */
    public String consumer() {
        return consumer;
    }

    /**
     * Counts a message, unless the difference is no time.
     *
     * @param latencyNs since it was offered; negative where the publisher's clock is ahead, which counts as 0.
     */
    void record(final long latencyNs) {
        if (latencyNs > MAX_DIFFERENCE_NS || latencyNs < -MAX_DIFFERENCE_NS) {
            return;
        }
        final long boundedNs = Math.clamp(latencyNs, 0, LatencyBuckets.MAX_LATENCY_NS);
        // before the count, so that no percentile is told to be above the longest
        if (boundedNs > maxNs) {
            MAX.setOpaque(this, boundedNs);
        }
        final int index = LatencyBuckets.indexOf(boundedNs);
        COUNTS.setRelease(counts, index, counts[index] + 1);
        if (latencyNs < 0) {
            // behind the count, so that there are no more of these than of all
            NEGATIVES.setRelease(this, negatives + 1);
        }
    }

    /**
     * The messages counted in one bucket.
     *
     * @param index of the bucket, see {@link LatencyBuckets}.
     * @return how many.
     */
    public long count(final int index) {
        return (long) COUNTS.getAcquire(counts, index);
    }

    /** {@return the longest latency in nanoseconds; 0 when nothing was counted} */
    public long maxNs() {
        return (long) MAX.getOpaque(this);
    }

    /** {@return messages that had arrived before they were offered, by the two clocks} */
    public long negatives() {
        return (long) NEGATIVES.getAcquire(this);
    }
}
