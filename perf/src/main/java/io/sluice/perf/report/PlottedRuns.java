package io.sluice.perf.report;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Comparison;
import io.sluice.perf.rig.CoreBand;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * The runs of one plot, all of them in one state of the machine: curves of different states would tell of the machine,
 * not of the systems. Of a system that failed at a point there is nothing at that point.
 *
 * @param band of the state.
 * @param runs that count.
 */
record PlottedRuns(CoreBand band, List<Run> runs) {
    /**
     * Selects runs in the state that tells most: with the most usable pairs of the plan's first system and another, of
     * several the one with the most runs, and then the one with the nearest cores.
     *
     * @return empty when no run counts at these points.
     */
    static Optional<PlottedRuns> of(final Plan plan, final List<Run> runs, final List<Point> points) {
        final List<Run> selected = runs.stream()
            .filter(run -> points.contains(run.point()) && run.counts() && !hasFailed(runs, run.peer(), run.point()))
            .toList();
        return CoreBand.of(selected).stream()
            .map(band -> new PlottedRuns(band, selected.stream().filter(band::contains).toList()))
            // the first of those that are equal
            .max(Comparator.<PlottedRuns>comparingInt(plotted -> pairs(plan, runs, points, plotted.band))
                .thenComparingInt(plotted -> plotted.runs.size()));
    }

    private static boolean hasFailed(final List<Run> runs, final PeerKind peer, final Point point) {
        return runs.stream().anyMatch(run -> run.peer() == peer && run.point().equals(point) && run.hasFailed());
    }

    private static int pairs(
        final Plan plan, final List<Run> runs, final List<Point> points, final CoreBand band) {
        int pairs = 0;
        for (final PeerKind reference : plan.peers().subList(1, plan.peers().size())) {
            for (final Point point : points) {
                final Metric metric = point.measure().metrics().getFirst();
                pairs += Comparison.of(runs, plan.peers().getFirst(), reference, point).ratios(metric, band).count();
            }
        }
        return pairs;
    }

    /** {@return the runs of one system at one point} */
    List<Run> of(final PeerKind peer, final Point point) {
        return runs.stream().filter(run -> run.peer() == peer && run.point().equals(point)).toList();
    }

    /** {@return the number of runs, and how far apart the cores were, before and after them} */
    String caption() {
        final DoubleSummaryStatistics cores = runs.stream()
            .map(Run::machine)
            .flatMapToDouble(machine -> DoubleStream.of(machine.before().medianNs(), machine.after().medianNs()))
            .summaryStatistics();
        return String.format(Locale.ROOT, "%d runs that count in one state of the cores, %.0f – %.0f ns apart before "
            + "and after. Nothing of a system where a run of it FAILED.", runs.size(), cores.getMin(), cores.getMax());
    }
}
