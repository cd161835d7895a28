package io.sluice.perf;

import io.sluice.os.CpuAffinity;
import io.sluice.perf.BenchCommand.Part;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.report.EnvironmentReport;
import io.sluice.perf.report.HtmlReport;
import io.sluice.perf.report.LabFigures;
import io.sluice.perf.report.Progress;
import io.sluice.perf.report.Report;
import io.sluice.perf.rig.Effort;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.RunExecutor;
import io.sluice.perf.rig.Session;
import io.sluice.perf.side.SideSettings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    /** The option that names systems; each command has defaults of its own. */
    static final String PEERS = "--peers";
    /** The option that names measures; each command has defaults of its own. */
    static final String MEASURES = "--measures";

    private static final int EXIT_RUN_FAILED = 1;
    private static final int MAX_MESSAGE_LENGTH = 64 * 1024;
    /** The highest rate in messages per second: no thread sends more often. */
    private static final int MAX_RATE = 100_000_000;
    /**
     * The rate for a ring, in messages per second: as many as the ring holds come within a twelfth of a second, far
     * fewer than it could take.
     */
    private static final int RING_RATE = 100_000;
    private static final int MIN_PROCESSORS = 2;

    @Parameters(
        arity = "0..1",
        defaultValue = "full",
        description = "How long: ${COMPLETION-CANDIDATES} (twenty minutes, about two hours). "
            + "Default: ${DEFAULT-VALUE}")
    private Preset preset;

    @Option(
        names = "--message-length",
        split = ",",
        description = "Bytes, from " + SideSettings.MESSAGE_LENGTH_MIN + " to " + MAX_MESSAGE_LENGTH
            + "; several are measured one after the other. Default: 32; for a full bench 32,256,1024,65536")
    private List<Integer> messageLengths;

    @Option(
        names = "--rates",
        split = ",",
        description = "Messages per second of the measures at a fixed rate, which take the first length only. Default: "
            + "10000,100000 for quick, up to 2000000 for full; " + RING_RATE + " for a ring")
    private List<Integer> rates;

    @Option(
        names = "--rounds",
        description = "Runs of each system; fewer than 3 judge no bar. Default: 3 for quick, 5 for full")
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
        description = "Write report.html, with plots, of rings ring/report.html, and keep what the processes leave: "
            + "histograms, counts, settings and logs. Default: keep nothing")
    private Path out;

    @Option(
        names = "--lab",
        split = ",",
        paramLabel = "FILE",
        description = "Show what native/lab/rtt has measured over rdma beside C programs, too: target/lab-rtt.csv and "
            + "target/lab-rate.csv are what it leaves")
    private List<Path> lab;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    RunOptions() {
    }

    /** The length of a measurement. */
    private enum Preset {
        /** A run that is enough to see whether something is badly wrong. */
        quick(3, 1, 300_000, 1, List.of(32), List.of(10_000, 100_000)),
        /** A run that is enough for medians. */
        full(5, 2, 1_000_000, 2, List.of(32, 256, 1024, 64 * 1024),
            List.of(10_000, 100_000, 500_000, 1_000_000, 2_000_000));

        private final int rounds;
        private final long warmUpNs;
        private final int roundTrips;
        private final long durationNs;
        private final List<Integer> messageLengths;
        private final List<Integer> rates;

        Preset(
            final int rounds,
            final int warmUpSeconds,
            final int roundTrips,
            final int durationSeconds,
            final List<Integer> messageLengths,
            final List<Integer> rates) {
            this.rounds = rounds;
            this.warmUpNs = TimeUnit.SECONDS.toNanos(warmUpSeconds);
            this.roundTrips = roundTrips;
            this.durationNs = TimeUnit.SECONDS.toNanos(durationSeconds);
            this.messageLengths = messageLengths;
            this.rates = rates;
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
            return measure(value);
        }
    }

    /**
     * Measure, print, and tell the exit code: a system that is slower than a rate has a bad figure, but none is wrong.
     */
    int run(final Part part) throws IOException, InterruptedException {
        final Plan plan = plan(part.peers(), part.measures(), part.varied());
        checkPeers(plan);
        final Path folder = out == null ? null : out.resolve(part.folder());
        makeOut(folder);
        final LabFigures labFigures = labFigures();
        EnvironmentReport.print(plan, System.out);
        final Report report = new Report(plan, System.out, labFigures);
        final List<Run> runs = Session.run(plan, new RunExecutor(plan, folder), new Progress(plan, System.out)::onRun);
        report.print(runs);
        if (folder != null) {
            System.out.println();
            System.out.println("report: " + HtmlReport.write(folder, plan, report, runs));
        }
        return runs.stream().anyMatch(run -> run.hasFailed() && !run.failure().isMissedRate()) ? EXIT_RUN_FAILED : 0;
    }

    /** The measure of a label. */
    static Measure measure(final String label) {
        return Arrays.stream(Measure.values()).filter(measure -> measure.label().equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown measure: measure=" + label + " known="
                + Arrays.stream(Measure.values()).map(Measure::label).collect(Collectors.joining(","))));
    }

    /** Reads the lab's figures before anything is measured, since a mistake in a file's name is seen at once then. */
    private LabFigures labFigures() {
        try {
            return lab == null ? LabFigures.NONE : LabFigures.read(lab);
        } catch (final IOException ex) {
            throw new ParameterException(spec.commandLine(), "cannot read figures of the lab: --lab=" + lab + " " + ex);
        } catch (final IllegalArgumentException ex) {
            throw new ParameterException(spec.commandLine(), "--lab: " + ex.getMessage());
        }
    }

    private Plan plan(final List<PeerKind> peers, final List<Measure> measures, final boolean varied) {
        final int roundCount = rounds == null ? preset.rounds : rounds;
        OptionRange.check(spec, "--rounds", roundCount, 1, OptionRange.MAX_ROUNDS);
        OptionRange.check(spec, "--quiet-limit", quietLimitSeconds, 0, OptionRange.MAX_QUIET_LIMIT_SECONDS);
        final List<Integer> lengths = chosen(
            messageLengths, varied ? preset.messageLengths : preset.messageLengths.subList(0, 1));
        final List<Integer> someRates = chosen(rates, varied ? preset.rates : List.of(RING_RATE));
        someRates.forEach(rate -> OptionRange.check(spec, "--rates", rate, 1, MAX_RATE));
        lengths.forEach(length -> OptionRange.check(
            spec, "--message-length", length, SideSettings.MESSAGE_LENGTH_MIN, MAX_MESSAGE_LENGTH));
        final List<Integer> pair = processors();
        return new Plan(
            List.copyOf(new LinkedHashSet<>(peers)), List.copyOf(new LinkedHashSet<>(measures)), lengths,
            someRates,
            new Effort(roundCount, preset.warmUpNs, preset.roundTrips, preset.durationNs,
                TimeUnit.SECONDS.toNanos(quietLimitSeconds)),
            pair.get(0), pair.get(1), address);
    }

    private List<Integer> processors() {
        final List<Integer> pair = cpus == null ? ProcessorPair.choose() : cpus;
        final int[] allowed = CpuAffinity.allowedCpus();
        if (pair.size() != MIN_PROCESSORS || pair.get(0).equals(pair.get(1))
            || !pair.stream().allMatch(cpu -> IntStream.of(allowed).anyMatch(known -> known == cpu))) {
            throw new ParameterException(spec.commandLine(), "two different processors that this process may use are "
                + "needed: --cpus=" + pair + " allowed=" + Arrays.toString(allowed));
        }
        return pair;
    }

    /** Throws when a system that was named has nothing to measure, or when no default system has anything. */
    private void checkPeers(final Plan plan) {
        final boolean isNamed = spec.commandLine().getParseResult().hasMatchedOption(PEERS);
        final List<PeerKind> idle = plan.peers().stream().filter(peer -> !hasMeasure(plan, peer)).toList();
        if (!idle.isEmpty() && (isNamed || idle.size() == plan.peers().size())) {
            throw new ParameterException(spec.commandLine(), "nothing to measure: " + PEERS + "=" + labels(idle)
                + " " + MEASURES + "=" + plan.measures().stream().map(Measure::label).collect(Collectors.joining(","))
                + " known=" + labels(Arrays.stream(PeerKind.values()).filter(peer -> hasMeasure(plan, peer)).toList()));
        }
    }

    private static boolean hasMeasure(final Plan plan, final PeerKind peer) {
        return plan.measures().stream().anyMatch(measure -> measure.suits(peer));
    }

    private static String labels(final List<PeerKind> peers) {
        return peers.stream().map(PeerKind::label).collect(Collectors.joining(","));
    }

    /** Makes the folder for output before anything is measured, which would be lost. */
    private void makeOut(final Path folder) {
        try {
            if (folder != null && !Files.isWritable(Files.createDirectories(folder))) {
                throw new AccessDeniedException(folder.toString());
            }
        } catch (final IOException ex) {
            throw new ParameterException(spec.commandLine(), "cannot write to a folder: --out=" + out + " " + ex);
        }
    }

    private static List<Integer> chosen(final List<Integer> named, final List<Integer> others) {
        return named == null ? others : List.copyOf(new LinkedHashSet<>(named));
    }
}
