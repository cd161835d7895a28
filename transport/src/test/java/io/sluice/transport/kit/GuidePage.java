package io.sluice.transport.kit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the guide: its tables, and the quantities in their cells. Stateless but for the page; one thread. */
public final class GuidePage {
    private static final Path GUIDE = Checkout.root().resolve("docs/guide");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String QUANTITY = "-?[0-9]+ ?(?:ns|us|ms|s|k|m|g)?(?![0-9a-z])|one hour";
    private static final Pattern RANGE = Pattern.compile("(" + QUANTITY + ") to (" + QUANTITY + ")");
    private static final long ONE_HOUR_NS = 3_600_000_000_000L;

    /** A range whose bounds are both allowed; in bytes, in nanoseconds or a plain number. */
    public record Range(long minimum, long maximum) {
    }

    private final String text;

    public GuidePage(final String name) {
        try {
            text = Files.readString(GUIDE.resolve(name));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String text() {
        return text;
    }

    /** Rows of the tables whose first column has this heading, cell by cell. */
    public List<List<String>> rows(final String firstHeading) {
        final List<List<String>> rows = new ArrayList<>();
        boolean isInside = false;
        for (final String line : text.lines().toList()) {
            final List<String> cells = cells(line);
            if (cells.isEmpty()) {
                isInside = false;
            } else if (cells.getFirst().equals(firstHeading)) {
                isInside = true;
            } else if (isInside && !cells.getFirst().matches("-+")) {
                rows.add(cells);
            }
        }
        assertTrue(!rows.isEmpty(), () -> "no table begins with " + firstHeading);
        return rows;
    }

    private static List<String> cells(final String line) {
        return line.startsWith("|") && line.endsWith("|")
            ? Arrays.stream(line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1)).map(String::trim).toList()
            : List.of();
    }

    /** The texts that stand in code in a cell or a sentence. */
    public static List<String> codes(final String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    /** The range that a cell names, as in {@code a power of two, `4k` to `1g`}, or null. */
    public static Range range(final String cell) {
        final Matcher matcher = RANGE.matcher(cell.replace("`", ""));
        return matcher.find() ? new Range(quantity(matcher.group(1)), quantity(matcher.group(2))) : null;
    }

    /** The quantity that a cell begins with, as in {@code `4m`} or {@code 75}, or null. */
    public static Long firstQuantity(final String cell) {
        final Matcher matcher = Pattern.compile(QUANTITY).matcher(cell.replace("`", ""));
        return matcher.lookingAt() ? quantity(matcher.group()) : null;
    }

    private static long quantity(final String text) {
        if (text.equals("one hour")) {
            return ONE_HOUR_NS;
        }
        final String unit = text.replaceAll("[-0-9 ]", "");
        return Long.parseLong(text.replaceAll("[^-0-9]", "")) * switch (unit) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "k" -> 1L << 10;
            case "m" -> 1L << 20;
            case "g" -> 1L << 30;
            default -> 1;
        };
    }
}
