package io.sluice.perf.drain;

import com.sun.management.ThreadMXBean;
import io.sluice.os.CpuAffinity;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.rdma.FunctionTableQueue;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.agrona.UnsafeApi;

/**
 * The main class of a measuring process: one case, Java and C in turn, on one pinned thread. Prints a line for each
 * length of bursts: the length, nanoseconds of processor time of Java and of C for each completion, and bytes that Java
 * allocates for each; a length of 0 stands for polls of an empty queue.
 */
public final class DrainProcess {
    /** Completions that are there when the poller looks: from a full batch to one, and none. */
    static final List<Integer> BURSTS = List.of(16, 4, 1, 0);
    private static final int COUNT = 200_000;
    private static final int LEAST_SAMPLES = 51;
    /**
     * The least number of warm-ups, many more than the compiler waits for; on a busy machine time says nothing about
     * that.
     */
    private static final int LEAST_WARM_UPS = 200;
    /** Times of this thread only, so that being preempted in a sample does not count. */
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final DrainCase drainCase;
    private final DrainLibrary library;
    private final MethodHandle drainC;
    private final MethodHandle lookC;
    private final long durationNs;
    /** Bytes allocated by the loop in Java alone, since the warm-up's end. */
    private long allocated;

    private DrainProcess(final DrainCase drainCase, final DrainLibrary library, final long durationNs) {
        this.drainCase = drainCase;
        this.library = library;
        this.durationNs = durationNs;
        drainC = library.loop(drainCase.function());
        lookC = library.loop(drainCase.lookFunction());
    }

    /**
     * Measure.
     *
     * @param args case, library, processor, and nanoseconds to warm up and then to measure for each length of bursts.
     */
    public static void main(final String[] args) {
        final DrainProcess process = new DrainProcess(
            DrainCase.valueOf(args[0]), DrainLibrary.load(Path.of(args[1])), Long.parseLong(args[3]));
        CpuAffinity.pin(Integer.parseInt(args[2]));
        for (final int burst : BURSTS) {
            process.measure(burst);
        }
    }

    private void measure(final int burst) {
        final long table = library.queue(burst);
        final CompletionQueue queue = drainCase.isExtended() ? FunctionTableQueue.extended(table)
            : FunctionTableQueue.legacy(
                table, UnsafeApi.getLong(UnsafeApi.getLong(table) + FunctionTableQueue.pollFunctionOffset()));
        final LongSupplier java = () -> drainInJava(burst, queue);
        final LongSupplier c = () -> call(burst == 0 ? lookC : drainC, table);
        sample(burst, java, c, LEAST_WARM_UPS);
        allocated = 0;
        final List<List<Long>> timesNs = sample(burst, java, c, LEAST_SAMPLES);
        System.out.printf(Locale.ROOT, "%d %.4f %.4f %.4f%n", burst, medianNs(timesNs.get(0)),
            medianNs(timesNs.get(1)), (double) allocated / COUNT / timesNs.get(0).size());
    }

    private long drainInJava(final int burst, final CompletionQueue queue) {
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        final long sum = burst == 0 ? DrainCase.look(queue, COUNT) : drainCase.drain(queue, COUNT);
        allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
        return sum;
    }

    private static long call(final MethodHandle loop, final long table) {
        try {
            return (long) loop.invokeExact(table, (long) COUNT);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Times of Java and of C, which take turns for the duration; what they read must be the same. */
    private List<List<Long>> sample(
        final int burst, final LongSupplier java, final LongSupplier c, final int least) {
        final List<Long> javaNs = new ArrayList<>();
        final List<Long> cNs = new ArrayList<>();
        final long startNs = System.nanoTime();
        while (javaNs.size() < least || System.nanoTime() - startNs < durationNs) {
            final long javaSum = timed(burst, java, javaNs);
            final long cSum = timed(burst, c, cNs);
            if (javaSum != cSum) {
                throw new IllegalStateException(
                    drainCase.label() + " burst=" + burst + ": java=" + javaSum + " and c=" + cSum);
            }
        }
        return List.of(javaNs, cNs);
    }

    private long timed(final int burst, final LongSupplier loop, final List<Long> timesNs) {
        library.queue(burst);
        final long startNs = THREADS.getCurrentThreadCpuTime();
        final long sum = loop.getAsLong();
        timesNs.add(THREADS.getCurrentThreadCpuTime() - startNs);
        return sum;
    }

    private static double medianNs(final List<Long> timesNs) {
        return (double) timesNs.stream().sorted().skip(timesNs.size() / 2).findFirst().orElseThrow() / COUNT;
    }
}
