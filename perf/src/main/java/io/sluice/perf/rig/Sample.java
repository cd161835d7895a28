package io.sluice.perf.rig;

import java.util.List;

/**
 * Some values of one figure.
 *
 * @param count  how many.
 * @param median the middle one, or the mean of the two middle ones; NaN when there is none.
 * @param min    the smallest.
 * @param max    the largest.
 */
public record Sample(int count, double median, double min, double max) {
    /**
     * Summarise values.
     *
     * @param values in any order.
     * @return the sample.
     */
    public static Sample of(final List<Double> values) {
        if (values.isEmpty()) {
            return new Sample(0, Double.NaN, Double.NaN, Double.NaN);
        }
        final List<Double> sorted = values.stream().sorted().toList();
        final int half = sorted.size() / 2;
        final double median = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Sample(sorted.size(), median, sorted.getFirst(), sorted.getLast());
    }

    /**
     * Whether there is no value.
     *
     * @return true when the other figures mean nothing.
     */
    public boolean isEmpty() {
        return count == 0;
    }
}
