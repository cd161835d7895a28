package io.sluice.os;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Pins the calling thread to a processor, by sched_setaffinity(2). Each method speaks of the thread that calls it,
 * which must be a platform thread; nothing to own.
 * <p>
 * <b>Threads and processes inherit the set of processors of the thread that starts them.</b> So pin a thread from
 * inside itself, as late as possible, and start no other thread from a pinned one: it would compete for the same core.
 * Never pin the main thread before the others are started.
 * <p>
 * Pinning needs Linux and native access ({@code --enable-native-access}); elsewhere {@link #isSupported()} is false and
 * pinning does nothing but say so.
 */
public final class CpuAffinity {
    /** The number that {@link #currentCpu()} returns where the system does not tell the processor. */
    public static final int UNKNOWN_CPU = -1;

    private static final boolean IS_SUPPORTED = "Linux".equals(System.getProperty("os.name"));

    private CpuAffinity() {
    }

    /**
     * Whether this system lets a thread choose its processors.
     *
     * @return true on Linux.
     */
    public static boolean isSupported() {
        return IS_SUPPORTED;
    }

    /**
     * Let the calling thread run on one processor only.
     *
     * @param cpu number of the processor, from 0, as in /proc/cpuinfo.
     * @return one line for people to read: where the thread is pinned and how isolated that is, or that this system
     *         cannot pin.
     * @throws IllegalArgumentException when this process may not use the processor; the message lists those it may.
     * @throws IllegalStateException    when the calling thread is virtual, native access is denied, or the system call
     *                                  fails.
     */
    public static String pin(final int cpu) {
        requireCpus(cpu);
        requirePlatformThread();
        if (!IS_SUPPORTED) {
            return "not pinned to cpu " + cpu + ": no processor affinity on " + System.getProperty("os.name");
        }
        allow(cpu);
        return "pinned; " + CpuIsolation.describe(cpu);
    }

    /**
     * The processors that the calling thread may run on, sched_getaffinity(2). Ask before {@link #pin(int)} to be able
     * to {@link #restore(int...)} them.
     *
     * @return their numbers, ascending; where affinity is not supported, as many as the JVM counts.
     * @throws IllegalStateException when the calling thread is virtual, native access is denied, or the system call
     *                               fails.
     */
    public static int[] allowedCpus() {
        requirePlatformThread();
        return IS_SUPPORTED
            ? SchedulerCalls.instance().affinity()
            : IntStream.range(0, Runtime.getRuntime().availableProcessors()).toArray();
    }

    /**
     * Let the calling thread run on a set of processors again; does nothing where affinity is not supported. Those of
     * the set that this process may not use are left out by the kernel.
     *
     * @param cpus numbers of the processors, at least one, usually what {@link #allowedCpus()} returned.
     * @throws IllegalArgumentException when this process may use none of them; the message lists those it may.
     * @throws IllegalStateException    when the calling thread is virtual, native access is denied, or the system call
     *                                  fails.
     */
    public static void restore(final int... cpus) {
        requireCpus(cpus);
        requirePlatformThread();
        if (IS_SUPPORTED) {
            allow(cpus);
        }
    }

    /**
     * The processor that the calling thread runs on at this moment, sched_getcpu(3).
     *
     * @return its number, or {@link #UNKNOWN_CPU} where affinity is not supported.
     * @throws IllegalStateException when native access is denied, or the system call fails.
     */
    public static int currentCpu() {
        return IS_SUPPORTED ? SchedulerCalls.instance().currentCpu() : UNKNOWN_CPU;
    }

    private static void allow(final int... cpus) {
        final SchedulerCalls calls = SchedulerCalls.instance();
        if (!calls.setAffinity(cpus)) {
            throw new IllegalArgumentException("cpus=" + CpuList.format(cpus) + " are not among those that this process"
                + " may use: allowed=" + CpuList.format(usableCpus(calls)) + "; choose one of them, or widen the cpuset"
                + " of the container or service, or bring the processor online");
        }
    }

    /** All processors that the kernel grants to this thread, which may be more than it is allowed at the moment. */
    private static int[] usableCpus(final SchedulerCalls calls) {
        final int[] allowed = calls.affinity();
        calls.setAffinity(IntStream.range(0, CpuList.MAX_CPUS).toArray());
        try {
            return calls.affinity();
        } finally {
            calls.setAffinity(allowed);
        }
    }

    private static void requireCpus(final int... cpus) {
        if (cpus.length == 0) {
            throw new IllegalArgumentException("cpus must name at least one processor");
        }
        for (final int cpu : cpus) {
            if (cpu < 0 || cpu >= CpuList.MAX_CPUS) {
                throw new IllegalArgumentException("cpu=" + cpu + " must be from 0 to " + (CpuList.MAX_CPUS - 1)
                    + ": cpus=" + Arrays.toString(cpus));
            }
        }
    }

    private static void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread has no processors of its own: thread="
                + Thread.currentThread().getName() + "; use a platform thread");
        }
    }
}
