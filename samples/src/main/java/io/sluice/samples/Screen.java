package io.sluice.samples;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The size of the terminal, so that what is refreshed stays on it.
 *
 * @param rows    that it shows.
 * @param columns of each row.
 */
record Screen(int rows, int columns) {
    /** No bounds: a file, or a terminal that does not tell its size. */
    static final Screen UNBOUNDED = new Screen(Integer.MAX_VALUE, Integer.MAX_VALUE);
    private static final File TERMINAL = new File("/dev/tty");
    private static final long TIMEOUT_MS = 1000;
    private static final String END = System.lineSeparator();

    /** The size that {@code stty size} tells now; {@link #UNBOUNDED} where it does not. */
    static Screen ofTerminal() throws InterruptedException {
        try {
            final Process process = new ProcessBuilder("stty", "size").redirectInput(TERMINAL)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try (BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII)) {
                return process.waitFor(TIMEOUT_MS, TimeUnit.MILLISECONDS) ? parse(reader.readLine()) : UNBOUNDED;
            } finally {
                process.destroy();
            }
        } catch (final IOException e) {
            // no terminal, or no stty: nothing has to fit
            return UNBOUNDED;
        }
    }

    /** The size from rows and columns, a space between them; 0 of either, as some terminals tell, bounds nothing. */
    static Screen parse(final String line) {
        if (line == null || !line.matches("\\d{1,5} \\d{1,5}")) {
            return UNBOUNDED;
        }
        final String[] size = line.split(" ");
        return new Screen(bound(Integer.parseInt(size[0])), bound(Integer.parseInt(size[1])));
    }

    private static int bound(final int told) {
        return told == 0 ? Integer.MAX_VALUE : told;
    }

    /**
     * Text that fits.
     *
     * @param text lines, each ended.
     * @param hint of what to do where lines are left out.
     * @return its first lines and, where that is not all, one that says how many more there are.
     */
    String fit(final String text, final String hint) {
        final List<String> lines = text.lines().toList();
        // the cursor stands on the row behind the last line
        final int room = rows - 1;
        if (lines.stream().mapToLong(this::height).sum() <= room) {
            return text;
        }
        final List<String> fitting = new ArrayList<>();
        long height = 1;
        for (final String line : lines) {
            height += height(line);
            if (height > room) {
                break;
            }
            fitting.add(line);
        }
        final String more = (lines.size() - fitting.size()) + " more lines: " + hint;
        fitting.add(more.length() > columns ? more.substring(0, columns) : more);
        return String.join(END, fitting) + END;
    }

    /** Rows of a line, which the terminal wraps. */
    private long height(final String line) {
        return Math.max(1, ((long) line.length() + columns - 1) / columns);
    }
}
