package io.sluice.transport;

import java.util.Arrays;
import java.util.Locale;

/**
 * Defaults out of system properties. Stateless; any thread.
 */
final class SystemProperties {
    private SystemProperties() {
    }

    static long quantity(final String name, final long defaultValue, final QuantityParser parser) {
        final String value = System.getProperty(name);
        return value == null ? defaultValue : parser.parse(name, value);
    }

    static int intQuantity(final String name, final int defaultValue, final QuantityParser parser) {
        return (int) Quantities.checkRange(
            name, quantity(name, defaultValue, parser), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static int count(final String name, final int defaultValue) {
        return intQuantity(name, defaultValue, Quantities::count);
    }

    static <E extends Enum<E>> E word(final String name, final E defaultValue, final Class<E> type) {
        final String value = System.getProperty(name);
        if (value == null) {
            return defaultValue;
        }
        for (final E constant : type.getEnumConstants()) {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw new IllegalArgumentException("unknown value: " + name + "=" + value + " known="
            + Arrays.toString(type.getEnumConstants()));
    }

    /** Parses one kind of quantity. */
    @FunctionalInterface
    interface QuantityParser {
        long parse(String name, String value);
    }
}
