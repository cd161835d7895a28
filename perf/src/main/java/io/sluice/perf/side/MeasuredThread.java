package io.sluice.perf.side;

import io.sluice.os.CpuAffinity;
import java.util.Arrays;

/**
 * A thread that measures has a processor of its own, or there is nothing to measure. Called by the thread itself, last,
 * since threads that it started afterwards would be pinned too.
 */
final class MeasuredThread {
    private MeasuredThread() {
    }

    /**
     * Pin it and record where.
     *
     * @throws IllegalStateException    when it may run elsewhere nevertheless.
     * @throws IllegalArgumentException when it may not use that processor.
     */
    static void pin(final int cpu, final SideResult result) {
        final String told = CpuAffinity.pin(cpu);
        result.put(SideResult.PINNED, told);
        requirePinned(cpu, told, CpuAffinity.allowedCpus());
    }

    /**
     * Refuses a thread that is not pinned, with what the attempt told, and the processors that the thread may run on
     * since.
     */
    static void requirePinned(final int cpu, final String told, final int... allowedCpus) {
        if (allowedCpus.length != 1 || allowedCpus[0] != cpu) {
            throw new IllegalStateException("the measured thread is not pinned, and what it would measure is the "
                + "scheduler: cpu=" + cpu + " allowed=" + Arrays.toString(allowedCpus) + " (" + told + ")");
        }
    }
}
