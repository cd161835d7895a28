package io.sluice.transport;

import java.util.Locale;

/**
 * Numbers as people write them: sizes with k, m, g; durations with ns, us, ms, s. Stateless; any thread.
 */
final class Quantities {
    private Quantities() {
    }

    static long count(final String name, final String value) {
        return parse(name, value, value, 1, "a whole number");
    }

    static long size(final String name, final String value) {
        final String lower = value.toLowerCase(Locale.ROOT);
        final int last = lower.length() - 1;
        final long factor = lower.isEmpty() ? 1 : switch (lower.charAt(last)) {
            case 'k' -> 1L << 10;
            case 'm' -> 1L << 20;
            case 'g' -> 1L << 30;
            default -> 1;
        };
        final String digits = factor == 1 ? lower : lower.substring(0, last);
        return parse(name, value, digits, factor, "bytes, or a number with k, m or g");
    }

    static long durationNs(final String name, final String value) {
        final String lower = value.toLowerCase(Locale.ROOT);
        final String unit = lower.replaceFirst("^[0-9]+", "");
        final long factor = switch (unit) {
            case "", "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            default -> 0L;
        };
        final String expected = "nanoseconds, or a number with ns, us, ms or s";
        if (factor == 0) {
            throw new IllegalArgumentException("expected " + expected + ": " + name + "=" + value);
        }
        return parse(name, value, lower.substring(0, lower.length() - unit.length()), factor, expected);
    }

    private static long parse(
        final String name, final String value, final String digits, final long factor, final String expected) {
        try {
            return Math.multiplyExact(Long.parseLong(digits), factor);
        } catch (final NumberFormatException | ArithmeticException ex) {
            throw new IllegalArgumentException("expected " + expected + ": " + name + "=" + value, ex);
        }
    }

    static long checkRange(final String name, final long value, final long minimum, final long maximum) {
        if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(
                "out of range: " + name + "=" + value + " minimum=" + minimum + " maximum=" + maximum);
        }
        return value;
    }
}
