package io.sluice.perf.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs that were made while the cores were about equally far apart: one state of the machine. The first and the last of
 * a band are {@link CoreRoundTrip#isLike alike}, so that any two of its runs may be compared, as far as the cores
 * before them are concerned.
 *
 * @param minNs shortest round trip between the cores before any of the runs.
 * @param maxNs longest.
 */
public record CoreBand(double minNs, double maxNs) {
    /**
     * Sort runs into states.
     *
     * @param runs those that do not count are left out.
     * @return the bands, the nearest cores first.
     */
    public static List<CoreBand> of(final List<Run> runs) {
        final List<CoreBand> bands = new ArrayList<>();
        final List<CoreRoundTrip> sorted = runs.stream().filter(Run::counts).map(run -> run.machine().before())
            .sorted((one, other) -> Double.compare(one.medianNs(), other.medianNs())).toList();
        if (!sorted.isEmpty()) {
            split(sorted, bands);
        }
        return bands;
    }

    /**
     * Splits the round trips at the widest gap until all of a band are alike, so that an outlier is left alone and
     * takes nobody along.
     */
    private static void split(final List<CoreRoundTrip> sorted, final List<CoreBand> bands) {
        if (sorted.getFirst().isLike(sorted.getLast())) {
            bands.add(new CoreBand(sorted.getFirst().medianNs(), sorted.getLast().medianNs()));
        } else {
            final int gap = widestGap(sorted);
            split(sorted.subList(0, gap), bands);
            split(sorted.subList(gap, sorted.size()), bands);
        }
    }

    /** The place after it. */
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

    /**
     * Whether a run was begun in this state.
     *
     * @param run that counts.
     * @return true when the cores before it were as far apart as those of the band.
     */
    public boolean contains(final Run run) {
        return run.machine().before().medianNs() >= minNs && run.machine().before().medianNs() <= maxNs;
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
