package io.sluice.perf.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs that were made while the cores were about equally far apart: one state of the machine.
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
    static List<CoreBand> of(final List<Run> runs) {
        final List<CoreRoundTrip> sorted = runs.stream().filter(Run::counts).map(Run::before)
            .sorted((one, other) -> Double.compare(one.medianNs(), other.medianNs())).toList();
        final List<CoreBand> bands = new ArrayList<>();
        int first = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || !sorted.get(first).isLike(sorted.get(i))) {
                bands.add(new CoreBand(sorted.get(first).medianNs(), sorted.get(i - 1).medianNs()));
                first = i;
            }
        }
        return bands;
    }

    boolean contains(final Run run) {
        return run.before().medianNs() >= minNs && run.before().medianNs() <= maxNs;
    }
}
