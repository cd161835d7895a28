package io.sluice.perf.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table in plain text, its columns as wide as their widest cell.
 */
final class TextTable {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    void add(final String... cells) {
        rows.add(cells);
    }

    /** {@return the cells of each row, of which the first one names the columns} */
    List<List<String>> rows() {
        return rows.stream().map(List::of).toList();
    }

    @Override
    public String toString() {
        final int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
        final int[] widths = new int[columns];
        for (final String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        final StringBuilder text = new StringBuilder();
        for (final String[] row : rows) {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).repeat(' ', widths[i] - row[i].length()).append(GAP);
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
            if (row == rows.getFirst()) {
                text.repeat('-', Arrays.stream(widths).sum() + GAP.length() * (columns - 1))
                    .append(System.lineSeparator());
            }
        }
        return text.toString();
    }
}
