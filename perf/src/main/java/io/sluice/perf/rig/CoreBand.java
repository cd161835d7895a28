package io.sluice.perf.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs that were made while the cores were about equally far apart: one state of the machine.
 *
 * @param minNs shortest round trip between the cores before any of the runs.
 * @param maxNs longest.
 */
public record CoreBand(double minNs, double maxNs) {
    /**
     * Above the scatter of one state, in which single values are twice others, and far below what lies between cores
     * that are near and cores that are far: a factor of four and more.
     */
    private static final double MAX_WIDTH_FACTOR = 2.25;

    /**
     * Sort runs into states.
     *
     * @param runs those that do not count are left out.
     * @return the bands, the nearest cores first.
     */
    static List<CoreBand> of(final List<Run> runs) {
        final List<CoreBand> bands = new ArrayList<>();
        final List<CoreRoundTrip> sorted = runs.stream().filter(Run::counts).map(Run::before)
            .sorted((one, other) -> Double.compare(one.medianNs(), other.medianNs())).toList();
        if (!sorted.isEmpty()) {
            split(sorted, bands);
        }
        return bands;
    }

    /** At the widest gap as long as it lies between two states or the band is too wide, so that no outlier leads. */
    private static void split(final List<CoreRoundTrip> sorted, final List<CoreBand> bands) {
        final double minNs = sorted.getFirst().medianNs();
        final double maxNs = sorted.getLast().medianNs();
        final int gap = widestGap(sorted);
        if (gap == 0 || sorted.get(gap - 1).isLike(sorted.get(gap)) && maxNs <= MAX_WIDTH_FACTOR * minNs) {
            bands.add(new CoreBand(minNs, maxNs));
        } else {
            split(sorted.subList(0, gap), bands);
            split(sorted.subList(gap, sorted.size()), bands);
        }
    }

    /** The place after it, 0 when all are the same. */
    private static int widestGap(final List<CoreRoundTrip> sorted) {
        int place = 0;
        double widest = 1;
        for (int i = 1; i < sorted.size(); i++) {
            final double factor = sorted.get(i).medianNs() / sorted.get(i - 1).medianNs();
            if (factor > widest) {
                widest = factor;
                place = i;
            }
        }
        return place;
    }

    boolean contains(final Run run) {
        return run.before().medianNs() >= minNs && run.before().medianNs() <= maxNs;
    }

    /**
     * The range, for people.
     *
     * @return for example {@code "110 – 131 ns"}.
     */
    public String range() {
        return String.format(Locale.ROOT, "%.0f – %.0f ns", minNs, maxNs);
    }
}
