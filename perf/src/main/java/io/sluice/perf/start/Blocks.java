package io.sluice.perf.start;

import java.util.Arrays;

/** The medians of blocks of round trips, one block after the other. One thread. */
final class Blocks {
    /** The number of blocks in a row of which one median is taken: a block alone may have been lucky. */
    static final int WINDOW = 10;
    /** The part of all blocks, at the end, that says what is steady. */
    private static final int STEADY_PART = 4;
    private static final double STEADY_FACTOR = 1.2;
    private static final int FIRST_LENGTH = 1024;

    private long[] endsNs = new long[FIRST_LENGTH];
    private long[] medians = new long[FIRST_LENGTH];
    private int count;

    /**
     * Adds a block.
     *
     * @param endNs         nanoseconds from the beginning until its end.
     * @param roundTripsNs  of the block, which is sorted.
     */
    void add(final long endNs, final long[] roundTripsNs) {
        if (count == endsNs.length) {
            endsNs = Arrays.copyOf(endsNs, 2 * count);
            medians = Arrays.copyOf(medians, 2 * count);
        }
        Arrays.sort(roundTripsNs);
        endsNs[count] = endNs;
        medians[count++] = roundTripsNs[roundTripsNs.length / 2];
    }

    /** {@return whether there are so many that a median can be taken} */
    boolean areEnough() {
        return count >= WINDOW;
    }

    /** {@return the median of the last quarter of all blocks, in nanoseconds} */
    long steadyNs() {
        return median(count - Math.max(WINDOW, count / STEADY_PART), count);
    }

    /** {@return the nanoseconds until the end of the first block that was, with the next ones, as fast as the last} */
    long steadyAfterNs() {
        final double boundNs = STEADY_FACTOR * steadyNs();
        int first = 0;
        while (first + WINDOW < count && median(first, first + WINDOW) > boundNs) {
            first++;
        }
        return endsNs[first];
    }

    private long median(final int from, final int to) {
        if (from < 0) {
            throw new IllegalStateException("blocks=" + count + " needed=" + WINDOW);
        }
        final long[] sorted = Arrays.copyOfRange(medians, from, to);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
