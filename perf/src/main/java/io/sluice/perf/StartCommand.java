package io.sluice.perf;

import io.sluice.perf.report.StartReport;
import io.sluice.perf.start.StartSession;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The {@code bench start} command: how soon after its start a program's round trips are as fast as later, with and
 * without an AOT cache. Ends with 1 when a process fails.
 */
@Command(
    name = "start",
    description = "Measure how soon after main round trips are as fast as later, with an AOT cache and without.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class StartCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final int MAX_SECONDS = 3600;
    /** The time in seconds for which compilers are watched, and a quarter more that says what is steady. */
    private static final int MIN_SECONDS = 5;

    @Option(names = "--rounds", defaultValue = "5", description = "Processes of each case. Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
        names = "--seconds",
        defaultValue = "10",
        description = "Time for which each process sends. Default: ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
        names = "--quiet-limit",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "How long each process waits for a moment in which nothing else runs. Default: ${DEFAULT-VALUE}")
    private int quietLimitSeconds;

    @Spec
    private CommandSpec spec;

    private StartCommand() {
    }

    @Override
    public Integer call() throws InterruptedException {
        OptionRange.check(spec, "--rounds", rounds, 1, OptionRange.MAX_ROUNDS);
        OptionRange.check(spec, "--seconds", seconds, MIN_SECONDS, MAX_SECONDS);
        OptionRange.check(spec, "--quiet-limit", quietLimitSeconds, 0, MAX_SECONDS);
        final StartSession session = new StartSession(
            rounds, TimeUnit.SECONDS.toNanos(seconds), TimeUnit.SECONDS.toNanos(quietLimitSeconds));
        StartReport.settings(session, System.out);
        try {
            StartReport.results(session.run(System.out::println), System.out);
            return 0;
        } catch (final IOException e) {
            System.err.println("sluice bench start: " + e.getMessage());
            return EXIT_FAILED;
        }
    }
}
