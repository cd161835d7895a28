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
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/**
 * The options of every command that measures systems in turn: how long, how often, where.
 */
final class RunOptions {
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
        names = "--address",
        defaultValue = "127.0.0.1",
        description = "Address of this host for the systems that need one. Default: ${DEFAULT-VALUE}")
    private String address;

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

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    RunOptions() {
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

    /** Systems by their labels. */
    static final class PeerConverter implements ITypeConverter<PeerKind> {
        @Override
        public PeerKind convert(final String value) {
            return PeerKind.of(value);
        }
    }

    /** Measures by their labels. */
    static final class MeasureConverter implements ITypeConverter<Measure> {
        @Override
        public Measure convert(final String value) {
            return Arrays.stream(Measure.values()).filter(measure -> measure.label().equals(value)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown measure: measure=" + value + " known="
                    + Arrays.stream(Measure.values()).map(Measure::label).collect(Collectors.joining(","))));
        }
    }

    /** Measure, print, and tell the exit code. */
    int run(final List<PeerKind> peers, final List<Measure> measures) throws IOException, InterruptedException {
        final Plan plan = plan(peers, measures);
        EnvironmentReport.print(plan, System.out);
        final Report report = new Report(plan, System.out);
        final List<Run> runs = Session.run(plan, new RunExecutor(plan, out), report::progress);
        report.settings(runs);
        report.results(runs);
        report.bars(runs);
        return runs.stream().anyMatch(Run::hasFailed) ? EXIT_RUN_FAILED : 0;
    }

    private Plan plan(final List<PeerKind> peers, final List<Measure> measures) {
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
            preset.durationNs, TimeUnit.SECONDS.toNanos(quietLimitSeconds), pair.get(0), pair.get(1), address);
    }

    private void check(final String option, final int value, final int minimum, final int maximum) {
        if (value < minimum || value > maximum) {
            throw new ParameterException(spec.commandLine(),
                option + "=" + value + " is out of range: minimum=" + minimum + " maximum=" + maximum);
        }
    }
}
