package io.sluice.samples;

import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Subscribers as a table, whoever takes most of the window first, with rates since the last look. One thread.
 */
final class TopReport {
    private static final String[] TITLES = {
        "WINDOW", "BEHIND B", "EVENTS", "OFFERED B/s", "CONSUMED B/s", "PRESSURE", "PUBLISHER", "SUBSCRIBER", "STREAM"};
    /** Columns from here on are text, which stands at the left. */
    private static final int FIRST_TEXT = 5;
    private static final String NONE = "-";
    private static final String ACTIVE = "active";
    private static final int PER_MILLE_OF_PER_CENT = 10;
    private static final long SCALE = 1000;
    private static final int MAX_PLAIN = 9999;
    private static final String[] UNITS = {"", "k", "M", "G", "T", "P", "E"};

    /** One line of the table. */
    private record Row(long windowPerMille, long distanceBytes, long distanceEvents, String[] cells) {
    }

    private Map<String, Long> positionsBefore = Map.of();
    private long epochMsBefore;

    /**
     * The text of the report: lines, each ended, none longer than the columns.
     *
     * @param snapshot of all transports.
     * @param streams  its publications.
     * @param columns  of the terminal.
     */
    String text(final StatusSnapshot snapshot, final List<Backlog.Stream> streams, final int columns) {
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%tT  %d transports, %d publications in %s", snapshot.epochMs(),
            snapshot.transports().size(), streams.size(), snapshot.directory()));
        snapshot.transports().stream().filter(status -> !snapshot.isWell(status))
            .forEach(status -> lines.add(snapshot.describe(status)));
        snapshot.skipped().forEach(line -> lines.add("unreadable: " + line));
        lines.add("");
        lines.addAll(table(rows(snapshot, streams)));
        final StringBuilder text = new StringBuilder();
        for (final String line : lines) {
            final String whole = line.stripTrailing();
            text.append(whole.length() > columns ? whole.substring(0, columns) : whole)
                .append(System.lineSeparator());
        }
        return text.toString();
    }

    private List<Row> rows(final StatusSnapshot snapshot, final List<Backlog.Stream> streams) {
        final Map<String, Long> positions = new HashMap<>();
        final List<Row> rows = new ArrayList<>();
        for (final Backlog.Stream stream : streams) {
            final String publication = identity(stream.transport(), stream.counter());
            positions.put(publication, stream.position());
            final String offered = rate(publication, stream.position(), snapshot.epochMs());
            if (stream.subscribers().isEmpty()) {
                rows.add(new Row(Backlog.NOT_KNOWN, Backlog.NOT_KNOWN, 0,
                    cells(stream, "nobody connected", NONE, NONE, NONE, offered, NONE)));
            }
            for (final Backlog.Subscriber subscriber : stream.subscribers()) {
                String consumed = NONE;
                if (subscriber.distanceBytes() != Backlog.NOT_KNOWN) {
                    final String link = identity(stream.transport(), subscriber.link());
                    final long position = stream.position() - subscriber.distanceBytes();
                    positions.put(link, position);
                    consumed = rate(link, position, snapshot.epochMs());
                }
                rows.add(row(stream, offered, subscriber, consumed));
            }
        }
        positionsBefore = positions;
        epochMsBefore = snapshot.epochMs();
        rows.sort(Comparator.comparingLong(Row::windowPerMille).thenComparingLong(Row::distanceBytes)
            .thenComparingLong(Row::distanceEvents).reversed());
        return rows;
    }

    private static Row row(
        final Backlog.Stream stream, final String offered, final Backlog.Subscriber subscriber, final String consumed) {
        final StringBuilder name = new StringBuilder(subscriber.peer());
        if (!subscriber.state().equals(ACTIVE)) {
            name.append(' ').append(subscriber.state());
        }
        final Backlog.Consumer slowest = subscriber.slowest();
        if (slowest != null) {
            name.append(' ').append(slowest.name());
        }
        final long behind = subscriber.distanceBytes();
        final long window = subscriber.windowPerMille();
        final long events = slowest == null ? 0 : slowest.distanceEvents();
        return new Row(window, behind, events, cells(stream, name.toString(),
            window == Backlog.NOT_KNOWN ? NONE : window / PER_MILLE_OF_PER_CENT + "%",
            behind == Backlog.NOT_KNOWN ? NONE : scaled(behind), slowest == null ? NONE : scaled(events), offered,
            consumed));
    }

    /** The cells of a row, whose numbers come first. */
    private static String[] cells(final Backlog.Stream stream, final String subscriber, final String... numbers) {
        return Stream.concat(Arrays.stream(numbers), Stream.of(
            stream.pressure(), "pid " + stream.transport().processId(), subscriber,
            stream.counter().key().streamId() + " " + stream.counter().channel())).toArray(String[]::new);
    }

    private static List<String> table(final List<Row> rows) {
        final List<String[]> cells = new ArrayList<>();
        cells.add(TITLES);
        rows.forEach(row -> cells.add(row.cells()));
        final int[] widths = new int[TITLES.length];
        for (final String[] line : cells) {
            for (int i = 0; i < line.length; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
        }
        return cells.stream().map(line -> line(line, widths)).toList();
    }

    private static String line(final String[] cells, final int[] widths) {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            final String gap = " ".repeat(widths[i] - cells[i].length());
            line.append(i == 0 ? "" : "  ").append(i < FIRST_TEXT ? gap + cells[i] : cells[i] + gap);
        }
        return line.toString();
    }

    /** The growth of a position in a second; unknown at the first look at it. */
    private String rate(final String identity, final long position, final long epochMs) {
        final Long before = positionsBefore.get(identity);
        if (before == null || epochMs <= epochMsBefore) {
            return NONE;
        }
        return scaled(Math.round(Math.max(0, position - before) * 1000.0 / (epochMs - epochMsBefore)));
    }

    /** A number with four digits or fewer and the letter of its thousands. */
    static String scaled(final long value) {
        if (value <= MAX_PLAIN) {
            return Long.toString(value);
        }
        double scaled = value;
        int unit = 0;
        while (Math.round(scaled) >= SCALE) {
            scaled /= SCALE;
            unit++;
        }
        return String.format(Locale.ROOT, Math.round(scaled * 10) < SCALE ? "%.1f%s" : "%.0f%s", scaled, UNITS[unit]);
    }

    private static String identity(final TransportStatus status, final CounterReading reading) {
        return status.folder() + " " + reading.type() + " " + reading.key().group();
    }
}
