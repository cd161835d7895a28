package io.sluice.transport.monitor;

import io.sluice.transport.receive.LatencyBuckets;
import io.sluice.transport.receive.LatencyHistogram;

/**
 * The percentiles of a histogram of latencies, since it began and over the last ten looks, of which there is one a
 * second. Conductor only; allocates nothing after it was made.
 */
final class LatencyWindow {
    /** A percentile of no message. */
    static final long NONE = -1;

    /** The number of looks that the recent percentiles are of. */
    static final int LOOKS = 10;
    /** The time between two looks: the conductor goes over some thousand buckets for each. */
    static final long LOOK_INTERVAL_NS = 1_000_000_000L;

    private final long[] all = new long[LatencyBuckets.COUNT];
    private final long[] recent = new long[LatencyBuckets.COUNT];
    /** The messages of each look by bucket: of a second, so that an int does. */
    private final int[][] looks = new int[LOOKS][LatencyBuckets.COUNT];
    private long allMessages;
    private long recentMessages;
    private long maxNs;
    private int next;
    private boolean hasLooked;
    private long lastLookNs;

    /**
     * Looks at the histogram, if it is time.
     *
     * @param histogram the same each time.
     * @param nowNs     of the conductor's clock.
     * @return whether it was time.
     */
    boolean look(final LatencyHistogram histogram, final long nowNs) {
        if (hasLooked && nowNs - lastLookNs < LOOK_INTERVAL_NS) {
            return false;
        }
        hasLooked = true;
        lastLookNs = nowNs;
        final int[] oldest = looks[next];
        next = (next + 1) % LOOKS;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            final long count = histogram.count(i);
            final int added = (int) (count - all[i]);
            all[i] = count;
            allMessages += added;
            recent[i] += added - oldest[i];
            recentMessages += added - oldest[i];
            oldest[i] = added;
        }
        // behind the counts, so that it is not below what they say
        maxNs = histogram.maxNs();
        return true;
    }

    /** {@return messages since the histogram began} */
    long messages() {
        return allMessages;
    }

    /** {@return the latency in nanoseconds that a part of the messages since the beginning did not exceed, or NONE} */
    long percentileNs(final double part) {
        return percentileNs(all, allMessages, part);
    }

    /** {@return the latency in nanoseconds that a part of the last ten seconds' messages did not exceed, or NONE} */
    long recentPercentileNs(final double part) {
        return percentileNs(recent, recentMessages, part);
    }

    private long percentileNs(final long[] counts, final long messages, final double part) {
        if (messages == 0) {
            return NONE;
        }
        final long rank = Math.clamp((long) Math.ceil(part * messages), 1, messages);
        long passed = 0;
        int index = -1;
        while (passed < rank) {
            passed += counts[++index];
        }
        return Math.min(LatencyBuckets.highestNs(index), maxNs);
    }
}
