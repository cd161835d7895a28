package io.sluice.perf.downcall;

import io.sluice.os.CpuAffinity;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * The main class of a measuring process: calls with one linker option, from Java and from C in turn, on one pinned
 * thread; then how long it takes to stop all threads while another one makes slow calls, and while one posts to a full
 * queue that a third one resizes. Prints the fields of
 * {@link DowncallResult} in one line.
 */
public final class DowncallProcess {
    /** The time that a slow call takes, in nanoseconds. */
    static final long SLOW_CALL_NS = 1_000_000;
    private static final int COUNT = 100_000;
    private static final int LEAST_SAMPLES = 51;
    private static final int STOPS = 301;
    /** The time of a resize in nanoseconds: a card's firmware takes about as long. */
    private static final long RESIZE_NS = 100_000_000;
    private static final int STOPS_OF_A_RESIZE = 31;
    private static final double SPREAD = 0.618;
    private static final double NS_PER_US = 1000;
    private static final double NS_PER_MS = 1_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final DowncallLibrary library;
    private final long durationNs;
    private volatile boolean isStopped;
    private volatile long slowCalls;

    private DowncallProcess(final DowncallLibrary library, final long durationNs) {
        this.library = library;
        this.durationNs = durationNs;
    }

    /**
     * Measure.
     *
     * @param args library, processor, and nanoseconds to warm up and then to measure for each function.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws InterruptedException {
        final DowncallProcess process =
            new DowncallProcess(DowncallLibrary.load(Path.of(args[0])), Long.parseLong(args[2]));
        // Before it is pinned, so that the other thread runs elsewhere.
        final List<Double> stopsUs = process.stops();
        final List<Double> resizeStopsUs = process.stopsOfAResize();
        CpuAffinity.pin(Integer.parseInt(args[1]));
        System.out.printf(Locale.ROOT, "%s %s %.1f %.1f %.1f %.1f%n", process.callsNs("stores"),
            process.callsNs("system_call"), median(stopsUs), max(stopsUs), median(resizeStopsUs), max(resizeStopsUs));
    }

    /** Nanoseconds of a call from Java and of one from C. */
    private String callsNs(final String name) {
        final long function = library.function(name);
        final LongSupplier java = () -> library.repeat(function, COUNT);
        final LongSupplier c = () -> library.repeatInC(function, COUNT);
        sample(java, c);
        final List<List<Double>> times = sample(java, c);
        return String.format(Locale.ROOT, "%.4f %.4f", median(times.get(0)), median(times.get(1)));
    }

    private List<List<Double>> sample(final LongSupplier java, final LongSupplier c) {
        final List<List<Double>> times = List.of(new ArrayList<>(), new ArrayList<>());
        final long startNs = System.nanoTime();
        while (times.get(0).size() < LEAST_SAMPLES || System.nanoTime() - startNs < durationNs) {
            times.get(0).add(timed(java));
            times.get(1).add(timed(c));
        }
        return times;
    }

    /** Processor time of this thread only, so that being preempted does not count. */
    private static double timed(final LongSupplier loop) {
        final long startNs = THREADS.getCurrentThreadCpuTime();
        if (loop.getAsLong() != 0) {
            throw new IllegalStateException("a call has failed");
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - startNs) / COUNT;
    }

    /** Microseconds of operations for which the JVM stops all threads. */
    private List<Double> stops() throws InterruptedException {
        final List<Double> timesUs = new ArrayList<>();
        final long function = library.function("slow_system_call");
        final Thread caller = new Thread(() -> {
            while (!isStopped) {
                slowCalls += library.call(function, SLOW_CALL_NS) + 1;
            }
        });
        caller.start();
        while (timesUs.size() < STOPS) {
            final long calls = slowCalls;
            // At another moment of a call each time.
            Thread.sleep(1, timesUs.size() * 997 % 1000 * 1000);
            final long startNs = System.nanoTime();
            THREADS.findDeadlockedThreads();
            if (slowCalls != calls) {
                timesUs.add((System.nanoTime() - startNs) / NS_PER_US);
            }
        }
        isStopped = true;
        caller.join();
        return timesUs;
    }

    /** Stops of all threads while one posts to a full queue by the option, and the queue is resized. */
    private List<Double> stopsOfAResize() throws InterruptedException {
        isStopped = false;
        final List<Double> timesUs = new ArrayList<>();
        final Thread poster = new Thread(() -> {
            while (!isStopped) {
                library.call(library.function("post_to_full"), 0);
            }
        });
        poster.start();
        while (timesUs.size() < STOPS_OF_A_RESIZE) {
            final Thread resizer = new Thread(() -> library.setupCall(library.function("resize"), RESIZE_NS));
            resizer.start();
            // At another moment of a resize each time, in its first half.
            final double part = timesUs.size() * SPREAD % 1;
            Thread.sleep((long) (1 + part * RESIZE_NS / 2 / NS_PER_MS));
            final long startNs = System.nanoTime();
            THREADS.findDeadlockedThreads();
            timesUs.add((System.nanoTime() - startNs) / NS_PER_US);
            resizer.join();
        }
        isStopped = true;
        poster.join();
        return timesUs;
    }

    private static double max(final List<Double> values) {
        return values.stream().max(Double::compare).orElseThrow();
    }

    private static double median(final List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
