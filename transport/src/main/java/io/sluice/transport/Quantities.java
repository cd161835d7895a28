package io.sluice.transport;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.BitUtil;

/**
 * Numbers as people write them: sizes with k, m, g; durations with ns, us, ms, s. What has the form of a number is
 * judged by its range, however large it is. Stateless; any thread.
 */
final class Quantities {
    private static final Pattern FORM = Pattern.compile("(?<number>[+-]?[0-9]+)(?<unit>[a-z]*)");

    private Quantities() {
    }

    /** Parses one kind of quantity, which has bounds, both allowed. */
    @FunctionalInterface
    interface Parser {
        long parse(String name, String value, long minimum, long maximum);
    }

    static long count(final String name, final String value, final long minimum, final long maximum) {
        final Matcher matcher = FORM.matcher(value);
        final long factor = matcher.matches() && matcher.group("unit").isEmpty() ? 1 : 0;
        return within(name, value, matcher, factor, minimum, maximum, "a whole number", "");
    }

    static long size(final String name, final String value, final long minimum, final long maximum) {
        final Matcher matcher = FORM.matcher(value.toLowerCase(Locale.ROOT));
        final long factor = !matcher.matches() ? 0 : switch (matcher.group("unit")) {
            case "" -> 1;
            case "k" -> 1L << 10;
            case "m" -> 1L << 20;
            case "g" -> 1L << 30;
            default -> 0;
        };
        return within(
            name, value, matcher, factor, minimum, maximum, "bytes, or a number with k, m or g", " unit=bytes");
    }

    static long durationNs(final String name, final String value, final long minimum, final long maximum) {
        final Matcher matcher = FORM.matcher(value.toLowerCase(Locale.ROOT));
        final long factor = !matcher.matches() ? 0 : switch (matcher.group("unit")) {
            case "", "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            default -> 0;
        };
        return within(name, value, matcher, factor, minimum, maximum,
            "nanoseconds, or a number with ns, us, ms or s", " unit=ns");
    }

    /** Refuses a number that is no power of two, and names the two beside it; {@code where} comes behind the number. */
    static void checkPowerOfTwo(final String name, final int value, final String where) {
        if (!BitUtil.isPowerOfTwo(value)) {
            final long below = Integer.highestOneBit(value);
            throw new IllegalArgumentException("not a power of two: " + name + "=" + value + " below=" + below
                + " above=" + 2 * below + where);
        }
    }

    private static long within(
        final String name,
        final String value,
        final Matcher matcher,
        final long factor,
        final long minimum,
        final long maximum,
        final String expected,
        final String unit) {
        if (factor == 0) {
            throw new IllegalArgumentException("expected " + expected + ": " + name + "=" + value);
        }
        final BigInteger quantity = new BigInteger(matcher.group("number")).multiply(BigInteger.valueOf(factor));
        if (quantity.compareTo(BigInteger.valueOf(minimum)) < 0
            || quantity.compareTo(BigInteger.valueOf(maximum)) > 0) {
            throw new IllegalArgumentException(
                "out of range: " + name + "=" + value + " minimum=" + minimum + " maximum=" + maximum + unit);
        }
        return quantity.longValueExact();
    }

    static long checkRange(final String name, final long value, final long minimum, final long maximum) {
        if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(
                "out of range: " + name + "=" + value + " minimum=" + minimum + " maximum=" + maximum);
        }
        return value;
    }

    /** A timeout or an interval in nanoseconds, with the bounds that nearly all have. */
    static long checkTimeout(final String name, final long valueNs) {
        return checkRange(name, valueNs, Configuration.TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS);
    }
}
