package io.sluice.perf;

import io.sluice.os.CpuAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Chooses the processors of the measured threads.
 */
final class ProcessorPair {
    private static final String CORE_ID = "/sys/devices/system/cpu/cpu%d/topology/core_id";

    private ProcessorPair() {
    }

    /**
     * The first two that this process may use on different cores; of one core when there is only one; else fewer than
     * two.
     */
    static List<Integer> choose() {
        final int[] allowed = CpuAffinity.allowedCpus();
        final String core = coreOf(allowed[0]);
        for (final int other : allowed) {
            if (other != allowed[0] && (core == null || !core.equals(coreOf(other)))) {
                return List.of(allowed[0], other);
            }
        }
        return IntStream.of(allowed).limit(2).boxed().toList();
    }

    /** The core that a processor belongs to; null where the system does not tell. */
    private static String coreOf(final int cpu) {
        try {
            final Path file = Path.of(String.format(Locale.ROOT, CORE_ID, cpu));
            return Files.isReadable(file) ? Files.readString(file).strip() : null;
        } catch (final IOException ex) {
            return null;
        }
    }
}
