package io.sluice.perf.report;

import io.sluice.perf.embed.EmbedCase;
import io.sluice.perf.embed.EmbedResult;
import io.sluice.perf.embed.EmbedSession;
import io.sluice.perf.rig.Sample;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints what embedding costs, as a table: for each case the medians over the processes, with the smallest and the
 * largest; and the bars.
 */
public final class EmbedReport {
    private static final String RANGE = "%.2f [%.2f - %.2f]";
    private static final double CYCLE_BAR_NS = 500;
    private static final double IDLE_BAR_PERCENT = 1;

    private EmbedReport() {
    }

    /**
     * Print the settings.
     *
     * @param session that is run.
     * @param out     to print to.
     */
    public static void settings(final EmbedSession session, final PrintStream out) {
        final TextTable table = EnvironmentReport.machine("no thread is pinned");
        table.add("method", session.rounds() + " fresh processes a case, cases in turn; each connects streams to"
            + " itself, rests for " + EnvironmentReport.seconds(session.restNs()) + " and is then measured idle for "
            + EnvironmentReport.seconds(session.durationNs())
            + "; a loop of the program's own idles by RestingIdleStrategy, Aeron's by Agrona's BackoffIdleStrategy");
        EnvironmentReport.print(table, out);
    }

    /**
     * Print the figures.
     *
     * @param results of all processes.
     * @param cases   in the order to print them in.
     * @param out     to print to.
     */
    public static void results(final List<EmbedResult> results, final List<EmbedCase> cases, final PrintStream out) {
        final TextTable table = new TextTable();
        table.add("median [min - max]", "launch, ms", "first link, ms", "next link, ms", "idle turn of the loop, ns",
            "idle process, % of a core");
        for (final EmbedCase embedCase : cases) {
            table.add(embedCase.label(), range(results, embedCase, EmbedResult::launchMs),
                range(results, embedCase, EmbedResult::firstLinkMs),
                range(results, embedCase, EmbedResult::nextLinkMs),
                embedCase.isInvoked() ? range(results, embedCase, EmbedResult::cycleNs) : "-",
                range(results, embedCase, EmbedResult::idlePercent));
        }
        out.println();
        out.print(table);
        out.println();
        bars(results, cases).forEach(out::println);
    }

    private static List<String> bars(final List<EmbedResult> results, final List<EmbedCase> cases) {
        final List<String> bars = new ArrayList<>();
        atMost(bars, results, EmbedCase.SLUICE_INVOKER, "idle turn of the loop, ns", EmbedResult::cycleNs,
            CYCLE_BAR_NS);
        for (final EmbedCase embedCase : cases) {
            final EmbedCase peer = peer(embedCase);
            if (peer != null) {
                atMost(bars, results, embedCase, "idle process, %", EmbedResult::idlePercent, IDLE_BAR_PERCENT);
                notMoreThan(bars, results, embedCase, peer, "first link, ms", EmbedResult::firstLinkMs);
                notMoreThan(bars, results, embedCase, peer, "next link, ms", EmbedResult::nextLinkMs);
            }
        }
        return bars;
    }

    /** {@return the case that one of Sluice is judged by, or null} */
    private static EmbedCase peer(final EmbedCase embedCase) {
        return switch (embedCase) {
            case SLUICE_INVOKER -> EmbedCase.AERON_INVOKER;
            case SLUICE_BACKOFF, SLUICE_SLEEPING -> EmbedCase.AERON_BACKOFF;
            default -> null;
        };
    }

    private static void notMoreThan(
        final List<String> bars, final List<EmbedResult> results, final EmbedCase embedCase, final EmbedCase peer,
        final String what, final ToDoubleFunction<EmbedResult> value) {
        final Sample sample = sample(results, peer, value);
        if (!sample.isEmpty()) {
            atMost(bars, results, embedCase, what + " (" + peer.label() + ")", value, sample.median());
        }
    }

    private static void atMost(
        final List<String> bars, final List<EmbedResult> results, final EmbedCase embedCase, final String what,
        final ToDoubleFunction<EmbedResult> value, final double bound) {
        final Sample sample = sample(results, embedCase, value);
        if (!sample.isEmpty()) {
            bars.add(String.format(Locale.ROOT, "bar: %s, %s <= %.2f: %.2f of %d processes: %s", embedCase.label(),
                what, bound, sample.median(), sample.count(), Verdict.of(sample, bound, true)));
        }
    }

    private static Sample sample(
        final List<EmbedResult> results, final EmbedCase embedCase, final ToDoubleFunction<EmbedResult> value) {
        return Sample.of(results.stream().filter(result -> result.embedCase() == embedCase).map(value::applyAsDouble)
            .toList());
    }

    private static String range(
        final List<EmbedResult> results, final EmbedCase embedCase, final ToDoubleFunction<EmbedResult> value) {
        final Sample sample = sample(results, embedCase, value);
        return String.format(Locale.ROOT, RANGE, sample.median(), sample.min(), sample.max());
    }
}
