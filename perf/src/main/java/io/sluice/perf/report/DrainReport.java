package io.sluice.perf.report;

import io.sluice.perf.drain.DrainCase;
import io.sluice.perf.drain.DrainResult;
import io.sluice.perf.drain.DrainSession;
import io.sluice.perf.rig.CCompiler;
import io.sluice.perf.rig.Sample;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints the cost of draining completions, as a table: for each case and length of bursts the medians over the
 * processes, with the smallest and the largest; and the bars.
 */
public final class DrainReport {
    private static final String RANGE = "%.1f [%.1f - %.1f]";
    private static final String RATIO_RANGE = "%.2f [%.2f - %.2f]";
    private static final String BYTES_RANGE = "%.3f [%.3f - %.3f]";

    /** Length of bursts that fill a batch. */
    private static final int FULL = 16;

    private static final List<Bar> BARS = List.of(
        new Bar(DrainCase.LEGACY, FULL, "%.1f × C", DrainResult::ratio, 2.2),
        new Bar(DrainCase.LEGACY, FULL, "%.1f ns", DrainResult::javaNs, 4),
        new Bar(DrainCase.EXTENDED, FULL, "%.1f × C", DrainResult::ratio, 1.4),
        new Bar(DrainCase.EXTENDED, 1, "%.1f × C", DrainResult::ratio, 2));

    private DrainReport() {
    }

    /** A bound that the median over the processes must not exceed. */
    private record Bar(
        DrainCase drainCase, int burst, String boundFormat, ToDoubleFunction<DrainResult> value, double bound) {
        String judge(final List<DrainResult> results) {
            final Sample sample = Sample.of(results.stream().map(value::applyAsDouble).toList());
            return String.format(Locale.ROOT, "bar: %s, bursts of %d <= " + boundFormat + ": %s of %d processes: %s",
                drainCase.label(), burst, bound, Report.range(sample), sample.count(),
                Verdict.of(sample, bound, true));
        }
    }

    /**
     * Print the settings.
     *
     * @param session that is run.
     * @param out     to print to.
     */
    public static void settings(final DrainSession session, final PrintStream out) {
        final TextTable table = EnvironmentReport.machine("measured thread on " + session.cpu());
        table.add("c", CCompiler.command() + " " + CCompiler.flags());
        table.add("method", session.rounds() + " fresh processes a case, cases in turn; in each of them and for each"
            + " length of bursts Java and C take turns, "
            + EnvironmentReport.seconds(session.durationNs()) + " to warm up and as long to measure");
        EnvironmentReport.print(table, out);
    }

    /**
     * Print the figures.
     *
     * @param results of all processes.
     * @param cases   in the order to print them in.
     * @param bursts  lengths of bursts, in the order to print them in.
     * @param out     to print to.
     */
    public static void results(
        final List<DrainResult> results, final List<DrainCase> cases, final List<Integer> bursts,
        final PrintStream out) {
        final TextTable table = new TextTable();
        table.add("ns per completion", "burst", "Java", "C", "ratio", "Java allocates, B");
        for (final DrainCase drainCase : cases) {
            for (final int burst : bursts) {
                final List<DrainResult> same = of(results, drainCase, burst);
                table.add(drainCase.label(), burst == 0 ? "empty" : Integer.toString(burst),
                    range(RANGE, same, DrainResult::javaNs), range(RANGE, same, DrainResult::cNs),
                    range(RATIO_RANGE, same, DrainResult::ratio), range(BYTES_RANGE, same, DrainResult::allocated));
            }
        }
        out.println();
        out.print(table);
        out.println();
        for (final Bar bar : BARS) {
            final List<DrainResult> judged = of(results, bar.drainCase, bar.burst);
            if (!judged.isEmpty()) {
                out.println(bar.judge(judged));
            }
        }
    }

    private static List<DrainResult> of(
        final List<DrainResult> results, final DrainCase drainCase, final int burst) {
        return results.stream()
            .filter(result -> result.drainCase() == drainCase && result.burst() == burst).toList();
    }

    private static String range(
        final String format, final List<DrainResult> results, final ToDoubleFunction<DrainResult> value) {
        final double[] sorted = results.stream().mapToDouble(value).sorted().toArray();
        return String.format(Locale.ROOT, format, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
