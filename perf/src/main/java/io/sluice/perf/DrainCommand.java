package io.sluice.perf;

import io.sluice.perf.drain.DrainCase;
import io.sluice.perf.drain.DrainResult;
import io.sluice.perf.drain.DrainSession;
import io.sluice.perf.report.DrainReport;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The {@code bench drain} command: what a completion of the rdma provider costs in Java beside the same loop in C, over
 * a queue without a device. Needs a C compiler, no RDMA. Ends with 1 when there is none or a process fails.
 */
@Command(
    name = "drain",
    description = "Measure draining a completion queue of the rdma provider beside the same loop in C.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DrainCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final List<Integer> BURSTS = List.of(1, 4, 16, 0);

    @Parameters(
        arity = "0..1",
        defaultValue = "full",
        description = "How long: ${COMPLETION-CANDIDATES} (one minute, about four). Default: ${DEFAULT-VALUE}")
    private Preset preset;

    @Option(
        names = "--cases",
        split = ",",
        converter = CaseConverter.class,
        defaultValue = "legacy,extended,extended-five,legacy-plain,extended-plain",
        description = "legacy: ibv_poll_cq; extended: ibv_cq_ex with the one reader that the transport needs; "
            + "extended-five: with five calls for each completion; -plain: without critical calls. "
            + "Default: ${DEFAULT-VALUE}")
    private List<DrainCase> cases;

    @Option(names = "--rounds", description = "Processes of each case. Default: 3 for quick, 5 for full")
    private Integer rounds;

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

    private DrainCommand() {
    }

    /** The length of a measurement. */
    private enum Preset {
        /** Enough to see whether something is badly wrong. */
        quick(3, 200),
        /** Enough for medians. */
        full(5, 800);

        private final int rounds;
        private final long durationMs;

        Preset(final int rounds, final long durationMs) {
            this.rounds = rounds;
            this.durationMs = durationMs;
        }
    }

    /** Cases by their labels. */
    static final class CaseConverter implements ITypeConverter<DrainCase> {
        @Override
        public DrainCase convert(final String value) {
            return Arrays.stream(DrainCase.values()).filter(known -> known.label().equals(value)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown case: case=" + value + " known="
                    + Arrays.stream(DrainCase.values()).map(DrainCase::label).collect(Collectors.joining(","))));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        final int roundCount = rounds == null ? preset.rounds : rounds;
        OptionRange.check(spec, "--rounds", roundCount, 1, OptionRange.MAX_ROUNDS);
        OptionRange.check(spec, "--quiet-limit", quietLimitSeconds, 0, OptionRange.MAX_QUIET_LIMIT_SECONDS);
        if (cpu != null) {
            OptionRange.checkCpu(spec, cpu);
        }
        final DrainSession session = new DrainSession(cases, roundCount, cpu == null ? defaultCpu() : cpu,
            TimeUnit.MILLISECONDS.toNanos(preset.durationMs), TimeUnit.SECONDS.toNanos(quietLimitSeconds));
        DrainReport.settings(session, System.out);
        try {
            final List<DrainResult> results = session.run(System.out::println);
            DrainReport.results(results, cases, BURSTS, System.out);
            return 0;
        } catch (final IOException e) {
            System.err.println("sluice bench drain: " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    private static int defaultCpu() {
        return ProcessorPair.choose().getLast();
    }
}
