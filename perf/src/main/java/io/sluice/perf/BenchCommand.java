package io.sluice.perf;

import io.sluice.os.CpuAffinity;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.report.EnvironmentReport;
import io.sluice.perf.report.Report;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.RunExecutor;
import io.sluice.perf.rig.Session;
import io.sluice.perf.side.SideSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The {@code bench} command: measures Sluice beside other systems in one run and prints tables. It ends with 0 when all
 * runs were whole, whatever the figures; with 1 when a run failed; with 2 for bad arguments.
 */
@Command(
    name = "bench",
    description = "Measure round trips and throughput of Sluice beside other systems, in turn on two processors.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class BenchCommand implements Callable<Integer> {
    private static final int EXIT_RUN_FAILED = 1;
    private static final int MAX_MESSAGE_LENGTH = 64 * 1024;
    private static final int MAX_ROUNDS = 1000;
    private static final int MIN_PROCESSORS = 2;
    private static final int MAX_QUIET_LIMIT_SECONDS = 3600;

    @Parameters(
        arity = "0..1",
        defaultValue = "full",
        description = "How long: ${COMPLETION-CANDIDATES} (about one minute, about three). Default: ${DEFAULT-VALUE}")
    private Preset preset;

    @Option(
        names = "--peers",
        split = ",",
        converter = PeerConverter.class,
        defaultValue = "sluice:ipc,aeron:ipc,cache-line",
        description = "Systems, the one in question first; known: sluice:ipc, sluice:ipc-queue (with completions), "
            + "aeron:ipc, cache-line (the floor: no "
            + "messaging system, round trips only). Default: ${DEFAULT-VALUE}")
    private List<PeerKind> peers;

    @Option(
        names = "--measures",
        split = ",",
        converter = MeasureConverter.class,
        defaultValue = "rtt,throughput",
        description = "Default: ${DEFAULT-VALUE}")
    private List<Measure> measures;

    @Option(
        names = "--message-length",
        split = ",",
        defaultValue = "32",
        description = "Bytes, from " + SideSettings.MESSAGE_LENGTH_MIN + " to " + MAX_MESSAGE_LENGTH
            + "; several are measured one after the other. Default: ${DEFAULT-VALUE}")
    private List<Integer> messageLengths;

    @Option(names = "--rounds", description = "Runs of each system. Default: 3 for quick, 5 for full")
    private Integer rounds;

    @Option(
        names = "--cpus",
        split = ",",
        description = "Two processors for the measured threads. Default: two that are not siblings of one core")
    private List<Integer> cpus;

    @Option(
        names = "--quiet-limit",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "How long each run waits for a moment in which nothing else runs on the machine; 0: not at all. "
            + "Default: ${DEFAULT-VALUE}")
    private int quietLimitSeconds;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Keep what the processes leave: histograms, counts, settings and logs. Default: keep nothing")
    private Path out;

    @Spec
    private CommandSpec spec;

    private BenchCommand() {
    }

    /** How long to measure. */
    private enum Preset {
        /** Enough to see whether something is badly wrong. */
        quick(3, 1, 300_000, 1),
        /** Enough for medians. */
        full(5, 2, 1_000_000, 2);

        private final int rounds;
        private final long warmUpNs;
        private final int roundTrips;
        private final long durationNs;

        Preset(final int rounds, final int warmUpSeconds, final int roundTrips, final int durationSeconds) {
            this.rounds = rounds;
            this.warmUpNs = TimeUnit.SECONDS.toNanos(warmUpSeconds);
            this.roundTrips = roundTrips;
            this.durationNs = TimeUnit.SECONDS.toNanos(durationSeconds);
        }
    }

    private static final class PeerConverter implements ITypeConverter<PeerKind> {
        @Override
        public PeerKind convert(final String value) {
            return PeerKind.of(value);
        }
    }

    private static final class MeasureConverter implements ITypeConverter<Measure> {
        @Override
        public Measure convert(final String value) {
            return Arrays.stream(Measure.values()).filter(measure -> measure.label().equals(value)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown measure: measure=" + value + " known="
                    + Arrays.stream(Measure.values()).map(Measure::label).collect(Collectors.joining(","))));
        }
    }

    /**
     * Run the command and end the process with its exit code.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new BenchCommand()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        final Plan plan = plan();
        EnvironmentReport.print(plan, System.out);
        final Report report = new Report(plan, System.out);
        final List<Run> runs = Session.run(plan, new RunExecutor(plan, out), report::progress);
        report.settings(runs);
        report.results(runs);
        report.bars(runs);
        return runs.stream().anyMatch(Run::hasFailed) ? EXIT_RUN_FAILED : 0;
    }

    private Plan plan() {
        final int roundCount = rounds == null ? preset.rounds : rounds;
        check("--rounds", roundCount, 1, MAX_ROUNDS);
        check("--quiet-limit", quietLimitSeconds, 0, MAX_QUIET_LIMIT_SECONDS);
        messageLengths.forEach(
            length -> check("--message-length", length, SideSettings.MESSAGE_LENGTH_MIN, MAX_MESSAGE_LENGTH));
        final List<Integer> pair = cpus == null ? ProcessorPair.choose() : cpus;
        if (pair.size() != MIN_PROCESSORS || pair.get(0).equals(pair.get(1))) {
            throw new ParameterException(spec.commandLine(), "two different processors are needed: --cpus=" + pair
                + " allowed=" + Arrays.toString(CpuAffinity.allowedCpus()));
        }
        return new Plan(
            List.copyOf(new LinkedHashSet<>(peers)), List.copyOf(new LinkedHashSet<>(measures)),
            List.copyOf(new LinkedHashSet<>(messageLengths)), roundCount, preset.warmUpNs, preset.roundTrips,
            preset.durationNs, TimeUnit.SECONDS.toNanos(quietLimitSeconds), pair.get(0), pair.get(1));
    }

    private void check(final String option, final int value, final int minimum, final int maximum) {
        if (value < minimum || value > maximum) {
            throw new ParameterException(spec.commandLine(),
                option + "=" + value + " is out of range: minimum=" + minimum + " maximum=" + maximum);
        }
    }
}
