package io.sluice.perf;

import io.sluice.perf.downcall.DowncallSession;
import io.sluice.perf.report.DowncallReport;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code bench downcalls} command: what a call of native code costs by each linker option, and how long a slow one
 * keeps all threads from being stopped. Needs a C compiler, no RDMA. Ends with 1 when there is none or a process fails.
 */
@Command(
    name = "downcalls",
    description = "Measure calls of native code by linker option, and what slow ones do to other threads.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DowncallsCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final int MAX_ROUNDS = 1000;
    private static final long DURATION_MS = 500;

    @Option(names = "--rounds", defaultValue = "5", description = "Processes of each option. Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(names = "--cpu", description = "Processor for the measured thread. Default: the second of two cores")
    private Integer cpu;

    @Option(
        names = "--quiet-limit",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "How long each process waits for a moment in which nothing else runs. Default: ${DEFAULT-VALUE}")
    private int quietLimitSeconds;

    @Spec
    private CommandSpec spec;

    private DowncallsCommand() {
    }

    @Override
    public Integer call() throws InterruptedException {
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new ParameterException(
                spec.commandLine(), "--rounds=" + rounds + " is out of range: minimum=1 maximum=" + MAX_ROUNDS);
        }
        final int measuringCpu = cpu == null ? ProcessorPair.choose().getLast() : cpu;
        final DowncallSession session = new DowncallSession(rounds, measuringCpu,
            TimeUnit.MILLISECONDS.toNanos(DURATION_MS), TimeUnit.SECONDS.toNanos(quietLimitSeconds));
        DowncallReport.settings(session, System.out);
        try {
            DowncallReport.results(session.run(System.out::println), System.out);
            return 0;
        } catch (final IOException e) {
            System.err.println("sluice bench downcalls: " + e.getMessage());
            return EXIT_FAILED;
        }
    }
}
