package io.sluice.perf.report;

import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.RunExecutor;
import io.sluice.perf.side.SideSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The machine and the JVM that figures were made on. What the system does not tell is left out.
 */
public final class EnvironmentReport {
    private static final String UNKNOWN = "unknown";
    private static final Path RDMA_DEVICES = Path.of("/sys/class/infiniband");
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path LOAD_AVERAGE = Path.of("/proc/loadavg");
    private static final String CPU_MODEL = "model name";
    /** Load of the whole machine: two measured threads need two idle cores. */
    private static final double BUSY_FROM = 0.5;

    private EnvironmentReport() {
    }

    /**
     * Print it.
     *
     * @param plan that is run.
     * @param out  to print to.
     */
    public static void print(final Plan plan, final PrintStream out) {
        print(of(plan), out);
    }

    static TextTable of(final Plan plan) {
        final TextTable table = machine("measured threads on " + plan.firstCpu() + " and " + plan.secondCpu());
        table.add("method", (plan.isBetweenThreads() ? "one fresh process per run, the sending thread pinned to"
            + " one processor and the receiving ones to the other, where several yield while they wait"
            : "two fresh processes per run, one pinned measured thread each") + "; " + plan.effort().rounds()
            + " rounds, peers in turn; warm-up " + seconds(plan.effort().warmUpNs()) + ", then "
            + plan.effort().roundTrips()
            + " round trips, or " + seconds(plan.effort().durationNs()) + " of one-way messages");
        if (plan.measures().stream().anyMatch(Measure::hasSlowConsumer)) {
            table.add("slow consumer", "beside the measured one; stands still for as long as the measure says after"
                + " every " + SideSettings.MAX_PAUSE_INTERVAL + " messages that it had, "
                + SideSettings.PAUSES_PER_SECOND + " times a second where fewer are sent");
        }
        return table;
    }

    /** Rows about processor, system and JVM. */
    static TextTable machine(final String threads) {
        final RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        final TextTable table = new TextTable();
        table.add("environment", "");
        table.add("cpu", cpuModel() + ", " + Runtime.getRuntime().availableProcessors() + " processors; " + threads);
        table.add("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
            + System.getProperty("os.arch"));
        table.add("rdma devices", rdmaDevices());
        table.add("commit", commit());
        table.add("jvm", runtime.getVmName() + " " + runtime.getVmVersion());
        table.add("flags", String.join(" ",
            Stream.concat(RunExecutor.MORE_JVM_FLAGS.stream(), runtime.getInputArguments().stream()).toList()));
        return table;
    }

    /** Prints it with the load of this moment, and a warning when there is any. */
    static void print(final TextTable table, final PrintStream out) {
        table.add("load", firstLine(LOAD_AVERAGE));
        out.print(table);
        final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > BUSY_FROM) {
            out.printf(Locale.ROOT,
                "%nNOTE: the machine is not idle (load average %.1f): figures will be worse and will scatter%n", load);
        }
        out.println();
    }

    static String seconds(final long durationNs) {
        return durationNs / 1_000_000 / 1000.0 + " s";
    }

    private static String cpuModel() {
        return lines(CPU_INFO).stream().filter(line -> line.startsWith(CPU_MODEL)).findFirst()
            .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse(System.getProperty("os.arch"));
    }

    private static String rdmaDevices() {
        final String[] names = RDMA_DEVICES.toFile().list();
        return names == null || names.length == 0 ? "none" : String.join(" ", names);
    }

    /** Commit of the clone that the classes were built in. */
    private static String commit() {
        try {
            final Path classes =
                Path.of(EnvironmentReport.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            final Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
                .directory(classes.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try (BufferedReader output = git.inputReader()) {
                final String commit = output.readLine();
                return commit == null ? UNKNOWN : commit;
            } finally {
                git.destroy();
            }
        } catch (final IOException | URISyntaxException ex) {
            // classes of an archive, or no git
            return UNKNOWN;
        }
    }

    private static String firstLine(final Path file) {
        return lines(file).stream().findFirst().orElse(UNKNOWN);
    }

    private static List<String> lines(final Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (final IOException ex) {
            return List.of();
        }
    }
}
