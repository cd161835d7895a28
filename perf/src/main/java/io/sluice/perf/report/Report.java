package io.sluice.perf.report;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Comparison;
import io.sluice.perf.rig.CoreBand;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.Sample;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The report of what a session measured: settings, tables and bars.
 */
public final class Report {
    private static final CoreBand NO_BAND = new CoreBand(Double.NaN, Double.NaN);

    private final Plan plan;
    private final PrintStream out;
    private final LabFigures lab;

    /**
     * Creates a report.
     *
     * @param plan that is run.
     * @param out  to print to.
     * @param lab  figures to show beside those of the runs.
     */
    public Report(final Plan plan, final PrintStream out, final LabFigures lab) {
        this.plan = plan;
        this.out = out;
        this.lab = lab;
    }

    /**
     * Print all of it.
     *
     * @param runs of the session.
     */
    public void print(final List<Run> runs) {
        out.println();
        out.print(settings(runs));
        for (final TextTable table : results(runs)) {
            out.println();
            out.print(table);
        }
        lab.table().ifPresent(table -> out.printf(Locale.ROOT, "%n%s%n%s%n", LabFigures.REMARK, table));
        out.println();
        out.println(counts(runs));
        out.println();
        final TextTable bars = bars(runs);
        out.print(bars.rows().size() > 1 ? bars : "");
    }

    /** The settings of all peers, as they told them themselves. */
    TextTable settings(final List<Run> runs) {
        final TextTable table = new TextTable();
        final Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> names.addAll(run.settings().keySet()));
        table.add(Stream.concat(Stream.of("peer"), names.stream()).toArray(String[]::new));
        for (final PeerKind peer : plan.peers()) {
            table.add(Stream.concat(
                Stream.of(peer.label()), names.stream().map(name -> setting(runs, peer, name))).toArray(String[]::new));
        }
        return table;
    }

    private static String setting(final List<Run> runs, final PeerKind peer, final String name) {
        return runs.stream().filter(run -> run.peer() == peer && !run.hasFailed()).map(Run::settings)
            .findFirst().orElse(Map.of()).getOrDefault(name, "");
    }

    /**
     * Makes one table for each peer that the first one is compared with, its own medians when there is none, and one on
     * consumers where they are measured.
     */
    List<TextTable> results(final List<Run> runs) {
        final List<TextTable> tables = new ArrayList<>();
        final PeerKind subject = plan.peers().getFirst();
        for (final PeerKind reference : plan.peers().subList(1, plan.peers().size())) {
            final TextTable table = new TextTable();
            table.add("median [min – max] of runs", "cores", subject.label(), reference.label(), "ratio of medians",
                "ratio of neighbours", "usable pairs");
            for (final Point point : plan.points()) {
                if (point.measure().suits(subject) && point.measure().suits(reference)) {
                    addRows(table, Comparison.of(runs, subject, reference, point));
                }
            }
            tables.add(table);
        }
        if (plan.peers().size() == 1) {
            tables.add(medians(runs, subject));
        }
        final TextTable consumers = ConsumerTable.of(plan, runs);
        if (consumers.rows().size() > 1) {
            tables.add(consumers);
        }
        return tables;
    }

    /** {@return figures of the lab to show with the others} */
    LabFigures lab() {
        return lab;
    }

    /** Tells how many runs there are, and why figures of some are not in the tables. */
    static String counts(final List<Run> runs) {
        final long failed = runs.stream().filter(Run::hasFailed).count();
        final long useless = runs.stream().filter(run -> !run.hasFailed() && !run.counts()).count();
        return "runs: " + runs.size() + "; " + failed + " FAILED and " + useless
            + " were disturbed or saw the cores move: their figures are in no table";
    }

    private TextTable medians(final List<Run> runs, final PeerKind peer) {
        final TextTable table = new TextTable();
        table.add("median [min – max] of runs", "cores", peer.label());
        for (final Point point : plan.points()) {
            final Comparison alone = Comparison.of(runs, peer, peer, point);
            for (final Metric metric : point.measure().metrics()) {
                for (final CoreBand band : bands(alone)) {
                    table.add(name(point, metric), range(band), text(alone, peer, metric, band));
                }
            }
        }
        return table;
    }

    private static void addRows(final TextTable table, final Comparison comparison) {
        for (final Metric metric : comparison.point().measure().metrics()) {
            // hundredths of a byte beside hundredths of a byte
            final boolean isNoise = metric == Metric.ALLOCATED;
            for (final CoreBand band : bands(comparison)) {
                final Sample subject = comparison.values(comparison.subject(), metric, band);
                final Sample reference = comparison.values(comparison.reference(), metric, band);
                final Sample ratios = comparison.ratios(metric, band);
                table.add(
                    name(comparison.point(), metric),
                    range(band),
                    text(comparison, comparison.subject(), metric, band),
                    text(comparison, comparison.reference(), metric, band),
                    isNoise || subject.isEmpty() || reference.isEmpty() ? "-"
                        : number(subject.median() / reference.median()),
                    isNoise || ratios.isEmpty() ? "-" : number(ratios.median())
                        + " [" + number(ratios.min()) + " – " + number(ratios.max()) + "]",
                    ratios.count() + " of " + comparison.pairCount());
            }
        }
    }

    /** Returns a state for each row; where no run counts, one that holds none, so that what failed has a row, too. */
    private static List<CoreBand> bands(final Comparison comparison) {
        final List<CoreBand> bands = comparison.bands();
        return bands.isEmpty() && !comparison.sequence().isEmpty() ? List.of(NO_BAND) : bands;
    }

    private static String range(final CoreBand band) {
        return band == NO_BAND ? "-" : band.range();
    }

    private static String name(final Point point, final Metric metric) {
        final boolean isNamed = point.measure().isBetweenThreads() || point.measure().isPaced();
        return (isNamed ? point.measure().label() + " " : "") + metric.label() + " " + point.size() + ", "
            + metric.unit();
    }

    /** The values in a state, and how many of all runs of the peer are in none because they failed. */
    private static String text(
        final Comparison comparison, final PeerKind peer, final Metric metric, final CoreBand band) {
        final Sample sample = comparison.values(peer, metric, band);
        final long failed = comparison.failedCount(peer);
        final String values = sample.isEmpty() ? "-"
            : number(sample.median()) + " [" + number(sample.min()) + " – " + number(sample.max()) + "] n="
                + sample.count();
        return failed == 0 ? values
            : (sample.isEmpty() ? "" : values + ", ") + "FAILED " + failed + " of " + comparison.runCount(peer);
    }

    /** Whether each bar is met that this run can judge. */
    TextTable bars(final List<Run> runs) {
        final TextTable table = new TextTable();
        table.add(Bar.columns());
        Bar.ALL.stream().filter(bar -> bar.isPartOf(plan)).forEach(bar -> bar.judge(runs, table));
        return table;
    }

    static String range(final Sample sample) {
        return number(sample.median()) + " [" + number(sample.min()) + " – " + number(sample.max()) + "]";
    }

    static String number(final double value) {
        if (!Double.isFinite(value)) {
            // nothing is divided by nothing
            return "-";
        }
        return String.format(Locale.ROOT, value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
    }
}
