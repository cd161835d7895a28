package io.sluice.perf.report;

import io.sluice.perf.rig.Sample;
import io.sluice.perf.start.StartCase;
import io.sluice.perf.start.StartResult;
import io.sluice.perf.start.StartSession;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints how programs start, as a table: for each case the medians over the processes, with the smallest and the
 * largest; and the bars.
 */
public final class StartReport {
    private static final String RANGE = "%.1f [%.1f - %.1f]";
    private static final double STEADY_BAR = 0.3;
    private static final double COMPILERS_BAR_MS = 400;

    private StartReport() {
    }

    /**
     * Print the settings.
     *
     * @param session that is run.
     * @param out     to print to.
     */
    public static void settings(final StartSession session, final PrintStream out) {
        final TextTable table = EnvironmentReport.machine("no thread is pinned");
        table.add("method", session.rounds() + " fresh processes a case, cases in turn; round trips of 32 B between two"
            + " threads of one process over sluice:ipc, for " + EnvironmentReport.seconds(session.durationNs()));
        EnvironmentReport.print(table, out);
    }

    /**
     * Print the figures.
     *
     * @param results of all processes.
     * @param out     to print to.
     */
    public static void results(final List<StartResult> results, final PrintStream out) {
        final TextTable table = new TextTable();
        table.add("median [min - max]", "connected after, ms", "steady after, ms", "steady p50, ns",
            "compilers in the first 4 s, ms");
        for (final StartCase startCase : StartCase.values()) {
            table.add(startCase.label(), range(results, startCase, StartResult::connectedMs),
                range(results, startCase, StartResult::steadyMs), range(results, startCase, StartResult::steadyNs),
                range(results, startCase, StartResult::compilersMs));
        }
        out.println();
        out.print(table);
        out.println();
        final double plainMs = sample(results, StartCase.PLAIN, StartResult::steadyMs).median();
        atMost(out, results, "steady after, ms (" + STEADY_BAR + " of plain)", StartResult::steadyMs,
            STEADY_BAR * plainMs);
        atMost(out, results, "compilers in the first 4 s, ms", StartResult::compilersMs, COMPILERS_BAR_MS);
    }

    private static void atMost(
        final PrintStream out, final List<StartResult> results, final String what,
        final ToDoubleFunction<StartResult> value, final double bound) {
        final Sample sample = sample(results, StartCase.CACHED, value);
        out.printf(Locale.ROOT, "bar: %s, %s <= %.1f: %.1f of %d processes: %s%n", StartCase.CACHED.label(), what,
            bound, sample.median(), sample.count(), Verdict.of(sample, bound, true));
    }

    private static Sample sample(
        final List<StartResult> results, final StartCase startCase, final ToDoubleFunction<StartResult> value) {
        return Sample.of(results.stream().filter(result -> result.startCase() == startCase).map(value::applyAsDouble)
            .toList());
    }

    private static String range(
        final List<StartResult> results, final StartCase startCase, final ToDoubleFunction<StartResult> value) {
        final Sample sample = sample(results, startCase, value);
        return String.format(Locale.ROOT, RANGE, sample.median(), sample.min(), sample.max());
    }
}
