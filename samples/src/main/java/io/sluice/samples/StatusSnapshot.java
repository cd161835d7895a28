package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The status of all transports of a folder at one moment.
 *
 * @param directory  that was looked at.
 * @param epochMs    when, in milliseconds since 1970.
 * @param transports that could be read.
 * @param skipped    a line for each that could not.
 */
record StatusSnapshot(Path directory, long epochMs, List<TransportStatus> transports, List<String> skipped) {
    private static final long STALE_MS = 2000;

    static StatusSnapshot of(final Path directory) throws IOException {
        final List<String> skipped = new ArrayList<>();
        final List<TransportStatus> transports =
            new StatusReader(SystemEnvironment.instance(), directory).read(skipped::add);
        return new StatusSnapshot(directory, System.currentTimeMillis(), transports, skipped);
    }

    /** Describes a transport and whether it is well, in one line. */
    String describe(final TransportStatus status) {
        final String name = status.clientName().isEmpty() ? "" : " (" + status.clientName() + ")";
        final String health;
        if (isWell(status)) {
            health = "";
        } else if (status.isAlive()) {
            health = ", its conductor has not run for " + silentMs(status) / 1000 + " s";
        } else {
            health = ", ended without closing: states and counters are those of its end";
        }
        return "pid " + status.processId() + name + health;
    }

    /** A line for each transport that is not well, or cannot be read. */
    List<String> notices() {
        final List<String> notices = new ArrayList<>();
        transports.stream().filter(status -> !isWell(status)).forEach(status -> notices.add(describe(status)));
        skipped.forEach(line -> notices.add("unreadable: " + line));
        return notices;
    }

    /** Whether a transport lives and its conductor runs. */
    boolean isWell(final TransportStatus status) {
        return status.isAlive() && (silentMs(status) <= STALE_MS || status.refreshedEpochMs() == 0);
    }

    private long silentMs(final TransportStatus status) {
        return epochMs - status.refreshedEpochMs();
    }
}
