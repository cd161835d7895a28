package io.sluice.transport.monitor;

import io.sluice.transport.receive.LatencyBuckets;
import io.sluice.transport.receive.LatencyHistogram;
import java.util.Arrays;

/**
 * The percentiles of a histogram of latencies, since it began and over the last ten seconds, as of the last look, of
 * which there is one a second. Conductor only; allocates nothing after it was made.
 */
final class LatencyWindow {
    /** A percentile of no message. */
    static final long NONE = -1;
    /** The number of looks that the recent percentiles are of. */
    static final int LOOKS = 10;
    /** The time between two looks: the conductor goes over some thousand buckets for each. */
    static final long LOOK_INTERVAL_NS = 1_000_000_000L;

    /** The parts of the messages that are told of, in ascending order. */
    private static final double[] PARTS = {0.5, 0.99, 0.999, 1};

    private final long[] all = new long[LatencyBuckets.COUNT];
    private final long[] recent = new long[LatencyBuckets.COUNT];
    /** The messages of each look by bucket: of a second, so that an int does. */
    private final int[][] looks = new int[LOOKS][LatencyBuckets.COUNT];
    private final long[] allNs = new long[PARTS.length];
    private final long[] recentNs = new long[PARTS.length];
    private long allMessages;
    private long recentMessages;
    private long negatives;
    private int next;
    private long nextLookNs;

    /**
     * A window that has not looked.
     *
     * @param beginNs when it is to look first, by the conductor's clock: not all windows at once.
     */
    LatencyWindow(final long beginNs) {
        nextLookNs = beginNs;
        Arrays.fill(allNs, NONE);
        Arrays.fill(recentNs, NONE);
    }

    /**
     * Looks at the histogram, if it is time.
     *
     * @param histogram the same each time.
     * @param nowNs     of the conductor's clock.
     * @return whether it was time.
     */
    boolean look(final LatencyHistogram histogram, final long nowNs) {
        if (nowNs - nextLookNs < 0) {
            return false;
        }
        final long missed = (nowNs - nextLookNs) / LOOK_INTERVAL_NS;
        nextLookNs += (missed + 1) * LOOK_INTERVAL_NS;
        for (long i = 0; i < Math.min(missed, LOOKS - 1L); i++) {
            forgetOldest();
        }
        // before the counts, so that there are no more of these than of all
        negatives = histogram.negatives();
        takeUp(histogram);
        // behind the counts, so that it is not below what they say
        final long maxNs = histogram.maxNs();
        summarize(all, allMessages, maxNs, allNs);
        summarize(recent, recentMessages, maxNs, recentNs);
        return true;
    }

    private void forgetOldest() {
        final int[] oldest = looks[next];
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            recent[i] -= oldest[i];
            recentMessages -= oldest[i];
        }
        Arrays.fill(oldest, 0);
        next = (next + 1) % LOOKS;
    }

    private void takeUp(final LatencyHistogram histogram) {
        final int[] oldest = looks[next];
        next = (next + 1) % LOOKS;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            // what is more is taken up by the next look
            final int added = (int) Math.min(histogram.count(i) - all[i], Integer.MAX_VALUE);
            all[i] += added;
            allMessages += added;
            recent[i] += added - oldest[i];
            recentMessages += added - oldest[i];
            oldest[i] = added;
        }
    }

    /** Finds the percentiles in one pass over the buckets. */
    private static void summarize(
        final long[] counts, final long messages, final long maxNs, final long[] percentilesNs) {
        if (messages == 0) {
            Arrays.fill(percentilesNs, NONE);
            return;
        }
        long passed = 0;
        int index = -1;
        for (int i = 0; i < PARTS.length; i++) {
            final long rank = Math.clamp((long) Math.ceil(PARTS[i] * messages), 1, messages);
            while (passed < rank) {
                passed += counts[++index];
            }
            percentilesNs[i] = Math.min(LatencyBuckets.highestNs(index), maxNs);
        }
    }

    /** {@return messages since the histogram began} */
    long messages() {
        return allMessages;
    }

    /** {@return messages of those that were over before they were offered, by two clocks} */
    long negatives() {
        return negatives;
    }

    /** {@return the latency in nanoseconds that a part of all messages did not exceed, or {@link #NONE}} */
    long percentileNs(final double part) {
        return allNs[Arrays.binarySearch(PARTS, part)];
    }

    /** {@return the latency in nanoseconds that a part of the recent messages did not exceed, or {@link #NONE}} */
    long recentPercentileNs(final double part) {
        return recentNs[Arrays.binarySearch(PARTS, part)];
    }
}
