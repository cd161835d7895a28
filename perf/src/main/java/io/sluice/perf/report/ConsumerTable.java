package io.sluice.perf.report;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.CoreBand;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.Sample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A table of what each further consumer on a ring adds to the way over it: the same system with several and with one,
 * in all pairs of runs of one round that count, in that state of the machine that has the most of them.
 */
final class ConsumerTable {
    /** The per cent that Sluice may add for each further consumer. */
    private static final double BAR = 10;
    private static final double PERCENT = 100;

    private ConsumerTable() {
    }

    /** {@return the table, which has no rows when the plan has nothing of it} */
    static TextTable of(final Plan plan, final List<Run> runs) {
        final TextTable table = new TextTable();
        table.add("added to one way by each further consumer", "median [min – max]", "pairs", "rounds",
            "bar: <= 10 %");
        for (final PeerKind peer : plan.peers()) {
            for (final Point point : plan.points()) {
                final Measure measure = point.measure();
                if (measure.receivers() > 1 && measure.suits(peer) && plan.measures().contains(Measure.HAND_OFF)) {
                    final Added added = added(runs, peer, point);
                    table.add(peer.label() + ", " + measure.receivers() + " consumers, " + point.size(),
                        text(added.percent()), Integer.toString(added.percent().count()),
                        Integer.toString(added.rounds()), verdict(peer, added));
                }
            }
        }
        return table;
    }

    /**
     * Returns what was added, in per cent, for each pair; of states that have as many, the one with the nearest cores.
     */
    static Added added(final List<Run> runs, final PeerKind peer, final Point point) {
        final List<Run> ones = of(runs, peer, new Point(Measure.HAND_OFF, point.messageLength()));
        final List<Run> severals = of(runs, peer, point);
        final long failed = Stream.concat(ones.stream(), severals.stream()).filter(Run::hasFailed).count();
        Added most = new Added(Sample.of(List.of()), 0, failed);
        for (final CoreBand band : CoreBand.of(Stream.concat(ones.stream(), severals.stream()).toList())) {
            final Added added = added(ones, severals, band, point, failed);
            most = added.percent().count() > most.percent().count() ? added : most;
        }
        return most;
    }

    private static Added added(
        final List<Run> ones, final List<Run> severals, final CoreBand band, final Point point, final long failed) {
        final List<Double> added = new ArrayList<>();
        final Set<Integer> rounds = new HashSet<>();
        for (final Run one : ones) {
            for (final Run several : severals) {
                if (one.round() == several.round() && one.isComparable(several)
                    && band.contains(one) && band.contains(several)) {
                    final double ratio = several.values().get(Metric.ONE_WAY) / one.values().get(Metric.ONE_WAY);
                    added.add(PERCENT * (ratio - 1) / (point.measure().receivers() - 1));
                    rounds.add(one.round());
                }
            }
        }
        return new Added(Sample.of(added), rounds.size(), failed);
    }

    private static List<Run> of(final List<Run> runs, final PeerKind peer, final Point point) {
        return runs.stream().filter(run -> run.peer() == peer && run.point().equals(point)).toList();
    }

    private static String text(final Sample added) {
        return added.isEmpty() ? "-"
            : String.format(Locale.ROOT, "%.1f %% [%.1f – %.1f]", added.median(), added.min(), added.max());
    }

    /**
     * Judges as {@link Bar} does: a system that fails now and then has not met anything with the runs that are left.
     */
    private static String verdict(final PeerKind peer, final Added added) {
        return peer != PeerKind.SLUICE_RING ? "" : added.rounds() < Bar.MIN_RUNS ? "NOT JUDGED"
            : added.percent().median() > BAR ? "MISSED"
            : added.failed() > 0 ? "NOT JUDGED: " + added.failed() + " runs FAILED" : "met";
    }

    /**
     * The share that was added, in per cent.
     *
     * @param percent of each pair of runs.
     * @param rounds  in which there was one.
     * @param failed  runs, in whatever state.
     */
    record Added(Sample percent, int rounds, long failed) {
    }
}
