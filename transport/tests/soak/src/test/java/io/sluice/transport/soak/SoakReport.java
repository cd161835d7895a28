package io.sluice.transport.soak;

import io.sluice.transport.harness.Audit;
import io.sluice.transport.harness.InFlight;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The report of what a soak has done and found. The soak's thread.
 */
final class SoakReport {
    /**
     * The faults of a kind.
     */
    private static final class Row {
        private int caused;
        private int underLoad;
        private long longestOutageNs;
    }

    private final Map<FaultKind, Row> rows = new EnumMap<>(FaultKind.class);
    private long messages;
    private long lost;
    private long duplicated;
    private long corrupted;

    SoakReport() {
        for (final FaultKind kind : FaultKind.values()) {
            rows.put(kind, new Row());
        }
    }

    /** A fault is over; a line about it. */
    String add(final ActiveFault active) {
        final Row row = rows.get(active.fault().kind());
        final long outageNs = active.outageNs();
        row.caused++;
        row.underLoad += active.inFlight() >= InFlight.MEBIBYTE ? 1 : 0;
        row.longestOutageNs = Math.max(row.longestOutageNs, outageNs);
        return format("%-54s %5.1f MiB in flight, %s after %.2f s",
            active.fault(), active.inFlight() / (double) InFlight.MEBIBYTE, active.outcome(), outageNs / 1e9);
    }

    /** Everything so far was compared; a line about it. */
    String add(final Audit audit, final int round) {
        messages += audit.messages();
        lost += audit.lost();
        duplicated += audit.duplicated();
        corrupted += audit.corrupted();
        return format("round %d: %,d messages received, lost=%d duplicated=%d corrupted=%d%s", round,
            audit.messages(), audit.lost(), audit.duplicated(), audit.corrupted(),
            audit.firstFinding() == null ? "" : "\n" + audit.firstFinding());
    }

    int caused(final FaultKind kind) {
        return rows.get(kind).caused;
    }

    /** Faults of a kind that found a mebibyte in flight. */
    int underLoad(final FaultKind kind) {
        return rows.get(kind).underLoad;
    }

    long messages() {
        return messages;
    }

    boolean isFlawless() {
        return lost == 0 && duplicated == 0 && corrupted == 0;
    }

    String table() {
        final StringBuilder text = new StringBuilder(
            format("%-22s%8s%22s%18s%n", "fault", "caused", "with 1 MiB in flight", "longest outage"));
        int caused = 0;
        int underLoad = 0;
        long longestOutageNs = 0;
        for (final FaultKind kind : FaultKind.values()) {
            final Row row = rows.get(kind);
            text.append(row(kind.label(), row.caused, row.underLoad, row.longestOutageNs));
            caused += row.caused;
            underLoad += row.underLoad;
            longestOutageNs = Math.max(longestOutageNs, row.longestOutageNs);
        }
        text.append(row("all", caused, underLoad, longestOutageNs));
        return text.append(format("%nmessages %,d   lost %d   duplicated %d   corrupted %d   longest outage %.2f s",
            messages, lost, duplicated, corrupted, longestOutageNs / 1e9)).toString();
    }

    private static String row(final String label, final int caused, final int underLoad, final long outageNs) {
        return format("%-22s%8d%22d%16.2f s%n", label, caused, underLoad, outageNs / 1e9);
    }

    private static String format(final String pattern, final Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
