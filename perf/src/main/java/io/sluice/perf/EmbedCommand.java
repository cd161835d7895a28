package io.sluice.perf;

import io.sluice.perf.embed.EmbedCase;
import io.sluice.perf.embed.EmbedResult;
import io.sluice.perf.embed.EmbedSession;
import io.sluice.perf.report.EmbedReport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The {@code bench embed} command: what embedding costs a program beside Aeron, driver included. Ends with 1 when a
 * process fails.
 */
@Command(
    name = "embed",
    description = "Measure what embedding costs beside Aeron: to connect, an idle turn of a program's loop, and a "
        + "process at rest.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class EmbedCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final int MAX_SECONDS = 3600;

    @Option(
        names = "--cases",
        split = ",",
        converter = CaseConverter.class,
        defaultValue = "sluice-invoker,aeron-invoker,sluice-backoff,sluice-sleeping,aeron-backoff",
        description = "-invoker: the program's loop runs agents and polls, and backs off; -backoff, -sleeping: threads "
            + "that do so while nothing arrives. Default: ${DEFAULT-VALUE}")
    private List<EmbedCase> cases;

    @Option(names = "--rounds", defaultValue = "5", description = "Processes of each case. Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
        names = "--rest",
        paramLabel = "SECONDS",
        defaultValue = "3",
        description = "Time without traffic before a process counts as idle. Default: ${DEFAULT-VALUE}")
    private int restSeconds;

    @Option(
        names = "--seconds",
        defaultValue = "5",
        description = "Time to measure an idle process. Default: ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
        names = "--quiet-limit",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "How long each process waits for a moment in which nothing else runs. Default: ${DEFAULT-VALUE}")
    private int quietLimitSeconds;

    @Spec
    private CommandSpec spec;

    private EmbedCommand() {
    }

    /** Cases by their labels. */
    static final class CaseConverter implements ITypeConverter<EmbedCase> {
        @Override
        public EmbedCase convert(final String value) {
            return EmbedCase.of(value);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        OptionRange.check(spec, "--rounds", rounds, 1, OptionRange.MAX_ROUNDS);
        OptionRange.check(spec, "--rest", restSeconds, 0, MAX_SECONDS);
        OptionRange.check(spec, "--seconds", seconds, 1, MAX_SECONDS);
        OptionRange.check(spec, "--quiet-limit", quietLimitSeconds, 0, MAX_SECONDS);
        final EmbedSession session = new EmbedSession(cases, rounds, TimeUnit.SECONDS.toNanos(restSeconds),
            TimeUnit.SECONDS.toNanos(seconds), TimeUnit.SECONDS.toNanos(quietLimitSeconds));
        EmbedReport.settings(session, System.out);
        try {
            final List<EmbedResult> results = session.run(System.out::println);
            EmbedReport.results(results, cases, System.out);
            return 0;
        } catch (final IOException e) {
            System.err.println("sluice bench embed: " + e.getMessage());
            return EXIT_FAILED;
        }
    }
}
