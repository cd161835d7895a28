package io.sluice.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The processors that the kernel keeps free of other work, as booted: {@code isolcpus=} takes them out of the
 * scheduler's balancing, {@code nohz_full=} stops their tick while one thread runs (kernel-parameters.txt). Isolated
 * partitions of cgroups are not seen. Any thread may call; nothing to own. On systems without /sys/devices/system/cpu
 * no processor is isolated.
 */
public final class CpuIsolation {
    private static final Path SYSTEM_CPUS = Path.of("/sys/devices/system/cpu");

    private CpuIsolation() {
    }

    /**
     * Processors that the scheduler does not balance threads onto.
     *
     * @return their numbers, ascending; empty when there are none or the kernel does not tell.
     * @throws IllegalStateException when the kernel's list cannot be read.
     */
    public static int[] isolatedCpus() {
        return read(SYSTEM_CPUS.resolve("isolated"));
    }

    /**
     * Processors that run without a tick while they have one thread to run.
     *
     * @return their numbers, ascending; empty when there are none or the kernel does not tell.
     * @throws IllegalStateException when the kernel's list cannot be read.
     */
    public static int[] nohzFullCpus() {
        return read(SYSTEM_CPUS.resolve("nohz_full"));
    }

    /**
     * One line for a log or a start-up message: how undisturbed a thread on a processor is, and what would help.
     *
     * @param cpu number of the processor, from 0.
     * @return the notice, without a line break.
     * @throws IllegalStateException when the kernel's lists cannot be read.
     */
    public static String describe(final int cpu) {
        return describe(cpu, isolatedCpus(), nohzFullCpus());
    }

    static String describe(final int cpu, final int[] isolated, final int[] nohzFull) {
        final boolean isIsolated = Arrays.binarySearch(isolated, cpu) >= 0;
        final boolean isNohzFull = Arrays.binarySearch(nohzFull, cpu) >= 0;
        if (isIsolated && isNohzFull) {
            return "cpu " + cpu + " is isolated and runs without a tick";
        }
        if (isIsolated) {
            return "cpu " + cpu + " is isolated, but the tick interrupts it; boot with nohz_full=" + cpu;
        }
        if (isNohzFull) {
            return "cpu " + cpu + " runs without a tick, but is not isolated: other threads may run on it; boot with"
                + " isolcpus=" + cpu;
        }
        return "cpu " + cpu + " is not isolated: other threads and the tick may interrupt it; boot with isolcpus=" + cpu
            + " nohz_full=" + cpu;
    }

    static int[] read(final Path file) {
        try {
            final String list = Files.readString(file).trim();
            // How kernels print a mask that was never set up.
            return "(null)".equals(list) ? new int[0] : CpuList.parse(list);
        } catch (final NoSuchFileException e) {
            return new int[0];
        } catch (final IOException | IllegalArgumentException e) {
            throw new IllegalStateException("cannot read the kernel's list of cpus: path=" + file + " cause="
                + e.getMessage(), e);
        }
    }
}
