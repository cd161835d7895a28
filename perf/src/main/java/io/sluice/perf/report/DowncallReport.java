package io.sluice.perf.report;

import io.sluice.perf.downcall.DowncallCase;
import io.sluice.perf.downcall.DowncallResult;
import io.sluice.perf.downcall.DowncallSession;
import io.sluice.perf.rig.CCompiler;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints the cost of calls of native code by linker option, as a table: medians over the processes, with the smallest
 * and the largest.
 */
public final class DowncallReport {
    private static final String RANGE = "%.1f [%.1f - %.1f]";
    private static final String WHOLE_RANGE = "%.0f [%.0f - %.0f]";

    private DowncallReport() {
    }

    /**
     * Print the settings.
     *
     * @param session that is run.
     * @param out     to print to.
     */
    public static void settings(final DowncallSession session, final PrintStream out) {
        final TextTable table = EnvironmentReport.machine("measured thread on " + session.cpu());
        table.add("c", CCompiler.command() + " " + CCompiler.flags());
        table.add("method", session.rounds() + " fresh processes an option, in turn; in each of them Java and C take"
            + " turns, " + EnvironmentReport.seconds(session.durationNs()) + " to warm up and as long to measure");
        EnvironmentReport.print(table, out);
    }

    /**
     * Print the figures.
     *
     * @param results of all processes.
     * @param out     to print to.
     */
    public static void results(final List<DowncallResult> results, final PrintStream out) {
        final TextTable table = new TextTable();
        table.add("option", "few stores, ns", "in C", "short system call, ns", "in C",
            "stop all threads beside calls of 1 ms, us", "longest",
            "beside posts to a full queue in a resize of 100 ms, us", "longest");
        for (final DowncallCase downcallCase : DowncallCase.values()) {
            final List<DowncallResult> same =
                results.stream().filter(result -> result.downcallCase() == downcallCase).toList();
            table.add(downcallCase.label(), range(RANGE, same, result -> result.stores().javaNs()),
                range(RANGE, same, result -> result.stores().cNs()),
                range(RANGE, same, result -> result.systemCall().javaNs()),
                range(RANGE, same, result -> result.systemCall().cNs()),
                range(WHOLE_RANGE, same, result -> result.stop().medianUs()),
                range(WHOLE_RANGE, same, result -> result.stop().longestUs()),
                range(WHOLE_RANGE, same, result -> result.resizeStop().medianUs()),
                range(WHOLE_RANGE, same, result -> result.resizeStop().longestUs()));
        }
        out.println();
        out.print(table);
    }

    private static String range(
        final String format, final List<DowncallResult> results, final ToDoubleFunction<DowncallResult> value) {
        final double[] sorted = results.stream().mapToDouble(value).sorted().toArray();
        return String.format(Locale.ROOT, format, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
