package io.sluice.perf.embed;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.agrona.concurrent.IdleStrategy;

/**
 * The main class of a measuring process: one case. Prints one line with the fields of {@link EmbedResult}.
 */
public final class EmbedProcess {
    /** Links that are made one after the other, behind the first. */
    private static final int NEXT_LINKS = 20;
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    /** A pause of a thread that waits for a link and has no agents to run: links are told of in milliseconds. */
    private static final long LOOK_INTERVAL_NS = 20_000;
    /** The time after which a link that was closed is gone, so that the next one does not pay for it. */
    private static final long CLOSED_NS = 50_000_000;
    private static final int WARM_UP_CYCLES = 2_000_000;
    private static final int CYCLES = 1_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final EmbedCase embedCase;
    private final EmbeddedSystem system;

    private EmbedProcess(final EmbedCase embedCase) {
        this.embedCase = embedCase;
        system = embedCase.create();
    }

    /**
     * Measure.
     *
     * @param args case, folder, and nanoseconds to rest before the process counts as idle, and then to measure.
     */
    public static void main(final String[] args) {
        final EmbedProcess process = new EmbedProcess(EmbedCase.valueOf(args[0]));
        try (EmbeddedSystem _ = process.system) {
            System.out.println(process.measure(Path.of(args[1]), Long.parseLong(args[2]), Long.parseLong(args[3])));
        }
    }

    private String measure(final Path folder, final long restNs, final long durationNs) {
        final long startNs = System.nanoTime();
        system.launch(folder);
        final long launchNs = System.nanoTime() - startNs;
        final long firstNs = connect(1);
        final long[] nextNs =
            IntStream.range(0, NEXT_LINKS).mapToLong(i -> connectAndRemove(2 + i)).sorted().toArray();
        final double cycleNs = embedCase.isInvoked() ? cycleNs() : Double.NaN;
        idle(restNs);
        final long cpuBeforeNs = PROCESS.getProcessCpuTime();
        final long beforeNs = System.nanoTime();
        idle(durationNs);
        final double share = (double) (PROCESS.getProcessCpuTime() - cpuBeforeNs) / (System.nanoTime() - beforeNs);
        return String.format(Locale.ROOT, "%.3f %.3f %.3f %.1f %.3f", millis(launchNs), millis(firstNs),
            millis(nextNs[nextNs.length / 2]), cycleNs, 100 * share);
    }

    private static double millis(final long ns) {
        return ns / 1e6;
    }

    private long connect(final int streamId) {
        final long startNs = System.nanoTime();
        system.add(streamId);
        while (!system.isConnected()) {
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                throw new IllegalStateException("not connected: streamId=" + streamId);
            }
            if (embedCase.isInvoked()) {
                system.cycle();
            } else {
                LockSupport.parkNanos(LOOK_INTERVAL_NS);
            }
        }
        return System.nanoTime() - startNs;
    }

    private long connectAndRemove(final int streamId) {
        final long ns = connect(streamId);
        system.remove();
        idle(CLOSED_NS);
        return ns;
    }

    /** {@return processor time of a turn of the program's loop in which nothing is to be done} */
    private double cycleNs() {
        for (int i = 0; i < WARM_UP_CYCLES; i++) {
            system.cycle();
        }
        final long beforeNs = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < CYCLES; i++) {
            system.cycle();
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - beforeNs) / CYCLES;
    }

    private void idle(final long durationNs) {
        final long endNs = System.nanoTime() + durationNs;
        final IdleStrategy idleStrategy = system.idleStrategy();
        while (System.nanoTime() < endNs) {
            if (embedCase.isInvoked()) {
                idleStrategy.idle(system.cycle());
            } else {
                LockSupport.parkNanos(endNs - System.nanoTime());
            }
        }
    }
}
