package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.side.Role;
import io.sluice.perf.side.SideProcess;
import io.sluice.perf.side.SideResult;
import io.sluice.perf.side.SideSettings;
import io.sluice.perf.side.ThreadsProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Runs one measurement in two fresh processes, or between the threads of one, with the JVM flags of this one. One
 * thread; ends its processes whatever happens.
 */
public final class RunExecutor {
    /** The flags that stand before the launcher's and the user's, which may take them back: the same for every peer. */
    public static final List<String> MORE_JVM_FLAGS = List.of("-Dagrona.disable.bounds.checks=true");

    private static final long START_AND_STOP_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long STOP_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int LOG_TAIL_LINES = 20;
    private static final double NS_PER_US = 1000;
    private static final double MESSAGES_PER_MILLION = 1_000_000;

    private final Plan plan;
    private final Path out;
    private final List<Process> living = new ArrayList<>();

    /**
     * An executor.
     *
     * @param plan with the times and processors.
     * @param out  folder that keeps what the processes leave, histograms included; or null to keep nothing.
     */
    public RunExecutor(final Plan plan, final Path out) {
        this.plan = plan;
        this.out = out;
        Runtime.getRuntime().addShutdownHook(new Thread(this::destroyAll, "end-processes"));
    }

    /**
     * Measure.
     *
     * @param peer  to measure.
     * @param point what of it.
     * @param round from 1.
     * @return the run, which may have failed.
     * @throws IOException          when no process can be started.
     * @throws InterruptedException when the caller is interrupted.
     */
    public Run run(final PeerKind peer, final Point point, final int round)
        throws IOException, InterruptedException {
        try (FileChannel _ = BenchLock.take()) {
            return runAlone(peer, point, round);
        }
    }

    private Run runAlone(final PeerKind peer, final Point point, final int round)
        throws IOException, InterruptedException {
        final Path folder = TemporaryFolders.create("sluice-bench-");
        try {
            MachineUse.awaitQuiet(plan.effort().quietLimitNs());
            final Measure measure = point.measure();
            final SideSettings host = settings(point, measure.host(), peer, folder);
            final SideSettings guest = settings(point, measure.guest(), peer, folder);
            final MachineUse useBefore = MachineUse.now();
            final String overrun = measure.isBetweenThreads()
                ? runThreads(host, guest, measure.hostThreads()) : runProcesses(host, guest);
            final double othersUse = MachineUse.now().othersSince(useBefore);
            final Failure failure = overrun == null ? failureOf(host, guest) : new Failure(overrun, false);
            final CoreRoundTrip before = cores(guest, SideResult.CORES_BEFORE_NS);
            final CoreRoundTrip after = cores(guest, SideResult.CORES_AFTER_NS);
            final String name =
                String.join("-", peer.name().toLowerCase(Locale.ROOT), point.fileName(), "round" + round);
            keep(folder, name);
            if (failure != null) {
                return new Run(
                    peer, point, round, new MachineState(before, after, 1, othersUse, 0), Map.of(), Map.of(),
                    null, failure);
            }
            final SideResult result = SideResult.read(host.resultFile(measure.measuring()));
            final double spread = result.has(SideResult.BATCH_SPREAD) ? result.number(SideResult.BATCH_SPREAD) : 1;
            final Run run = new Run(
                peer, point, round,
                new MachineState(before, after, spread, othersUse, (long) result.number(SideResult.PREEMPTIONS)),
                values(measure, host, guest), SideResult.read(host.resultFile(host.role())).settings(),
                result.roundTrips(), null);
            keep(run, name);
            return run;
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    private SideSettings settings(final Point point, final Role role, final PeerKind peer, final Path folder) {
        final Effort effort = plan.effort();
        return new SideSettings(role, peer, plan.address(), folder,
            role.isHost() ? plan.firstCpu() : plan.secondCpu(), point.messageLength(), point.ratePerSecond(),
            point.measure().receivers(), point.measure().pauseNs(), effort.warmUpNs(), effort.roundTrips(),
            effort.durationNs(), point.measure().hostThreads() > 1);
    }

    /** Runs the sides as threads, and returns what did not end in time, or null. */
    private String runThreads(final SideSettings host, final SideSettings guest, final int hostThreads)
        throws IOException, InterruptedException {
        try {
            final Process process = start(
                guest, ThreadsProcess.class, ThreadsProcess.toArguments(guest, host.cpu(), hostThreads));
            return process.waitFor(startToEndLimitNs(), TimeUnit.NANOSECONDS) ? null : overrun(guest) + tail(guest);
        } finally {
            destroyAll();
        }
    }

    private long startToEndLimitNs() {
        return START_AND_STOP_LIMIT_NS + plan.effort().warmUpNs() + plan.effort().durationNs();
    }

    private String overrun(final SideSettings side) {
        return side.role() + " did not end within " + TimeUnit.NANOSECONDS.toSeconds(startToEndLimitNs()) + " s";
    }

    /** Runs the sides as processes, and returns what did not end in time, or null. */
    private String runProcesses(final SideSettings host, final SideSettings guest)
        throws IOException, InterruptedException {
        try {
            final Process hostProcess = start(host, SideProcess.class, host.toArguments());
            final Process guestProcess = start(guest, SideProcess.class, guest.toArguments());
            if (!guestProcess.waitFor(startToEndLimitNs(), TimeUnit.NANOSECONDS)) {
                return overrun(guest) + tail(guest) + tail(host);
            }
            hostProcess.getOutputStream().close();
            if (!hostProcess.waitFor(STOP_LIMIT_NS, TimeUnit.NANOSECONDS)) {
                return host.role() + " did not end within " + TimeUnit.NANOSECONDS.toSeconds(STOP_LIMIT_NS) + " s"
                    + tail(host);
            }
            return null;
        } finally {
            destroyAll();
        }
    }

    private Process start(final SideSettings side, final Class<?> main, final List<String> arguments)
        throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(MORE_JVM_FLAGS);
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        final Process process = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log(side).toFile())
            .start();
        synchronized (living) {
            living.add(process);
        }
        return process;
    }

    private void destroyAll() {
        synchronized (living) {
            living.forEach(Process::destroyForcibly);
            living.clear();
        }
    }

    private static Path log(final SideSettings side) {
        return side.folder().resolve(side.role().name().toLowerCase(Locale.ROOT) + ".log");
    }

    /** Round trip of the cores as the guest saw them with the host, if they came to it. */
    private static CoreRoundTrip cores(final SideSettings guest, final String name) {
        final Path file = guest.resultFile(guest.role());
        final SideResult result = Files.exists(file) ? SideResult.read(file) : new SideResult();
        return result.has(name) ? new CoreRoundTrip(result.number(name)) : CoreRoundTrip.UNKNOWN;
    }

    private static Failure failureOf(final SideSettings host, final SideSettings guest) throws IOException {
        final List<String> failures = new ArrayList<>();
        for (final SideSettings side : List.of(guest, host)) {
            final Path file = side.resultFile(side.role());
            final String failure = Files.exists(file) ? SideResult.read(file).failure() : "left no result";
            if (failure != null) {
                failures.add(side.role() + ": " + failure + tail(side));
            }
        }
        if (!failures.isEmpty()) {
            return new Failure(String.join(System.lineSeparator() + "    ", failures), false);
        }
        // the one's own count against the other's
        final String received = SideResult.read(host.resultFile(host.role())).text(SideResult.TOTAL_MESSAGES);
        final String sent = SideResult.read(guest.resultFile(guest.role())).text(SideResult.TOTAL_MESSAGES);
        if (!sent.equals(received)) {
            return new Failure("sent " + sent + " messages but received " + received, false);
        }
        final String missedRate = SideResult.read(guest.resultFile(guest.role())).missedRate();
        return missedRate == null ? null : new Failure(missedRate, true);
    }

    private void keep(final Path folder, final String name) throws IOException {
        if (out == null) {
            return;
        }
        final Path target = Files.createDirectories(out.resolve(name));
        // an earlier attempt may have left what this one does not
        try (DirectoryStream<Path> files = Files.newDirectoryStream(target, "*.{properties,log,hlog}")) {
            for (final Path file : files) {
                Files.delete(file);
            }
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{properties,log}")) {
            for (final Path file : files) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }

    private void keep(final Run run, final String name) throws IOException {
        if (out == null || run.roundTrips() == null) {
            return;
        }
        final Histogram roundTrips = run.roundTrips();
        // one after the other, unless somebody asked for a rate
        final double durationNs = run.point().ratePerSecond() == 0 ? roundTrips.getMean() * roundTrips.getTotalCount()
            : (double) TimeUnit.SECONDS.toNanos(roundTrips.getTotalCount()) / run.point().ratePerSecond();
        final String comment = String.format(Locale.ROOT, "%s %s %s, round %d, ns; cores %.0f and %.0f ns apart",
            run.peer().label(), run.point().measure().label(), run.point().size(), run.round(),
            run.machine().before().medianNs(), run.machine().after().medianNs());
        HistogramLog.write(out.resolve(name).resolve("round-trips.hlog"), comment,
            roundTrips, durationNs);
    }

    private static String tail(final SideSettings side) throws IOException {
        final List<String> lines = Files.exists(log(side)) ? Files.readAllLines(log(side)) : List.of();
        final String separator = System.lineSeparator() + "    " + side.role() + "| ";
        return lines.isEmpty() ? "" : separator + String.join(
            separator, lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }

    private static Map<Metric, Double> values(
        final Measure measure, final SideSettings host, final SideSettings guest) {
        final SideResult hostResult = SideResult.read(host.resultFile(host.role()));
        final SideResult guestResult = SideResult.read(guest.resultFile(guest.role()));
        final SideResult result = measure.measuring() == host.role() ? hostResult : guestResult;
        final Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (final Metric metric : measure.metrics()) {
            values.put(metric, switch (metric) {
                case RTT_BATCH -> result.number(SideResult.BATCH_ROUND_TRIP_NS) / NS_PER_US;
                case ONE_WAY -> result.number(SideResult.ONE_WAY_NS);
                case MESSAGE_RATE -> result.number(SideResult.MESSAGES_PER_SECOND) / MESSAGES_PER_MILLION;
                case ALLOCATED -> (hostResult.number(SideResult.ALLOCATED_BYTES)
                    + guestResult.number(SideResult.ALLOCATED_BYTES)) / guestResult.number(SideResult.MESSAGES);
                case OFFER_P99, OFFER_P999 -> result.offers().getValueAtPercentile(metric.percentile()) / NS_PER_US;
                default -> result.roundTrips().getValueAtPercentile(metric.percentile()) / NS_PER_US;
            });
        }
        return values;
    }
}
