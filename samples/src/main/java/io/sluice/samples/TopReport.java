package io.sluice.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Subscribers as a table, whoever takes most of the window first, with rates since the last look. One thread.
 */
final class TopReport {
    private static final String[] TITLES = {
        "WINDOW", "BEHIND B", "EVENTS", "OFFERED B/s", "CONSUMED B/s", "PRESSURE", "PUBLISHER", "SUBSCRIBER", "STREAM"};
    /** Columns from here on are text, which stands at the left. */
    private static final int FIRST_TEXT = 5;
    /** Lines about transports that are not well: the table is to stay on the screen. */
    private static final int MAX_NOTICES = 3;
    private static final String NONE = "-";
    private static final int PER_MILLE_OF_PER_CENT = 10;
    private static final long SCALE = 1000;
    private static final int MAX_PLAIN = 9999;
    private static final String[] UNITS = {"", "k", "M", "G", "T", "P", "E"};

    private final GrowthRates offered = new GrowthRates();
    private final GrowthRates consumed = new GrowthRates();

    /**
     * The text of the report: lines, each ended, none longer than the columns.
     *
     * @param snapshot of all transports.
     * @param rows     of it, in their order.
     * @param columns  of the terminal.
     */
    String text(final StatusSnapshot snapshot, final List<StreamRow> rows, final int columns) {
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%tT  %d transports in %s", snapshot.epochMs(),
            snapshot.transports().size(), snapshot.directory()));
        final List<String> notices = snapshot.notices();
        lines.addAll(notices.subList(0, Math.min(MAX_NOTICES, notices.size())));
        if (notices.size() > MAX_NOTICES) {
            lines.add(notices.size() - MAX_NOTICES + " more transports are not well: ./sluice stat --once");
        }
        lines.add("");
        lines.addAll(table(rows));
        final StringBuilder text = new StringBuilder();
        for (final String line : lines) {
            final String whole = line.stripTrailing();
            text.append(whole.length() > columns ? whole.substring(0, columns) : whole)
                .append(System.lineSeparator());
        }
        return text.toString();
    }

    private List<String> table(final List<StreamRow> rows) {
        offered.begin();
        consumed.begin();
        final List<String[]> cells = new ArrayList<>();
        cells.add(TITLES);
        rows.forEach(row -> cells.add(cells(row)));
        final int[] widths = new int[TITLES.length];
        for (final String[] line : cells) {
            for (int i = 0; i < line.length; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
        }
        return cells.stream().map(line -> line(line, widths)).toList();
    }

    private String[] cells(final StreamRow row) {
        final StreamRow.Progress progress = row.progress();
        final long window = row.lag().windowPerMille();
        final String consumer = row.names().consumer();
        return new String[]{
            window == Backlog.NOT_KNOWN ? NONE : window / PER_MILLE_OF_PER_CENT + "%",
            known(row.lag().bytes()),
            known(row.lag().events()),
            known(offered.of(row.id(), progress.offered(), progress.refreshedEpochMs())),
            known(consumed.of(row.id(), progress.consumed(), progress.refreshedEpochMs())),
            row.pressure(),
            row.names().publisher(),
            row.names().subscriber() + (consumer.isEmpty() ? "" : " " + consumer),
            row.stream()};
    }

    private static String line(final String[] cells, final int[] widths) {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            final String gap = " ".repeat(widths[i] - cells[i].length());
            line.append(i == 0 ? "" : "  ").append(i < FIRST_TEXT ? gap + cells[i] : cells[i] + gap);
        }
        return line.toString();
    }

    private static String known(final long value) {
        return value == Backlog.NOT_KNOWN ? NONE : scaled(value);
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
}
