package io.sluice.perf.report;

import io.sluice.perf.downcall.CardAction;
import io.sluice.perf.downcall.CardResult;
import io.sluice.perf.downcall.CardSession;
import io.sluice.perf.rig.CCompiler;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tables of how long stops of all threads take over model cards, with a verdict. One thread. */
public final class CardReport {
    private static final double NS_PER_MS = 1_000_000;

    private CardReport() {
    }

    /**
     * Print the settings.
     *
     * @param session that is run.
     * @param out     to print to.
     */
    public static void settings(final CardSession session, final PrintStream out) {
        final TextTable table = EnvironmentReport.machine("no thread is pinned");
        table.add("c", CCompiler.command() + " " + CCompiler.flags());
        table.add("method", String.format(Locale.ROOT,
            "a process each; in it each thing is done %d times beside a thread that posts and one that polls, a system"
                + " call of the device takes %.0f ms, and all threads are stopped every 1 to 2 ms",
            session.times(), session.systemCallNs() / NS_PER_MS));
        table.add("cells", "stops in us: the longest while a thing is done once, its median / the longest of all / how"
            + " long a stop has waited for a call that waited itself, if for 1 ms");
        EnvironmentReport.print(table, out);
    }

    /**
     * Print the figures.
     *
     * @param results of all processes.
     * @param out     to print to.
     * @return whether no stop was too long but those of controls.
     */
    public static boolean results(final List<CardResult> results, final PrintStream out) {
        print("as the provider calls the card, us", false, results, out);
        print("control: all critical, us", true, results, out);
        final List<String> tooLong = new ArrayList<>();
        results.stream().filter(result -> !result.cardCase().isControl())
            .forEach(result -> tooLong.addAll(tooLong(result)));
        out.println();
        out.printf(Locale.ROOT, "bar: a stop waits for a call <= %.0f us: %s%n",
            CardResult.LIMIT_US, tooLong.isEmpty() ? "met" : "MISSED: " + String.join(", ", tooLong));
        return tooLong.isEmpty();
    }

    private static void print(
        final String title, final boolean isControl, final List<CardResult> results, final PrintStream out) {
        final TextTable table = new TextTable();
        final List<String> header = new ArrayList<>(List.of(title));
        for (final CardAction action : CardAction.values()) {
            header.add(label(action));
        }
        table.add(header.toArray(String[]::new));
        for (final CardResult result : results) {
            if (result.cardCase().isControl() == isControl) {
                table.add(row(result));
            }
        }
        out.println();
        out.print(table);
    }

    private static String[] row(final CardResult result) {
        final List<String> row = new ArrayList<>(List.of(result.cardCase().label()));
        for (final CardAction action : CardAction.values()) {
            final CardResult.Stops stops = result.stops().get(action);
            row.add(stops == null ? "-"
                : us(stops.medianUs()) + " / " + us(stops.longestUs()) + " / " + us(stops.waitedUs()));
        }
        return row.toArray(String[]::new);
    }

    private static List<String> tooLong(final CardResult result) {
        return result.stops().entrySet().stream()
            .filter(entry -> entry.getValue().waitedUs() > CardResult.LIMIT_US)
            .map(entry -> result.cardCase().label() + " " + label(entry.getKey()) + " "
                + us(entry.getValue().waitedUs()))
            .sorted().toList();
    }

    private static String label(final CardAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static String us(final double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
