package io.sluice.perf.side;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts how often the system took the processor away from the calling thread: on a quiet machine hardly ever while it
 * spins, so it tells what part of a tail comes from the machine.
 */
final class Preemptions {
    private static final Path STATUS = Path.of("/proc/thread-self/status");
    private static final String FIELD = "nonvoluntary_ctxt_switches:";

    private Preemptions() {
    }

    /** The count since the thread began; 0 where the system does not tell. */
    static long count() {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        try {
            return Files.readAllLines(STATUS).stream().filter(line -> line.startsWith(FIELD)).findFirst()
                .map(line -> Long.parseLong(line.substring(FIELD.length()).strip())).orElse(0L);
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot read " + STATUS, ex);
        }
    }
}
