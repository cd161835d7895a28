package io.sluice.transport;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Defaults out of system properties. Stateless; any thread.
 */
final class SystemProperties {
    private SystemProperties() {
    }

    static long quantity(final String name, final long defaultValue, final Quantities.Parser parser,
        final long minimum, final long maximum) {
        final String value = System.getProperty(name);
        return value == null ? defaultValue : parser.parse(name, value, minimum, maximum);
    }

    static int size(final String name, final int defaultValue, final int minimum, final int maximum) {
        return (int) quantity(name, defaultValue, Quantities::size, minimum, maximum);
    }

    static int count(final String name, final int defaultValue, final int minimum, final int maximum) {
        return (int) quantity(name, defaultValue, Quantities::count, minimum, maximum);
    }

    /** The number of bytes that a property gives, which is a power of two. */
    static int powerOfTwo(final String name, final int defaultValue, final int minimum, final int maximum) {
        final int value = size(name, defaultValue, minimum, maximum);
        Quantities.checkPowerOfTwo(name, value, "");
        return value;
    }

    /** Name of this program in peers' logs; empty when there is none. */
    static String clientName() {
        final String value = System.getProperty(Configuration.CLIENT_NAME_PROP, "");
        if (value.length() > Configuration.CLIENT_NAME_MAX_LENGTH) {
            throw new IllegalArgumentException("client name too long: " + Configuration.CLIENT_NAME_PROP + "=" + value
                + " length=" + value.length() + " maximum=" + Configuration.CLIENT_NAME_MAX_LENGTH);
        }
        return value;
    }

    /**
     * The origin of values that do not fit together, for the end of a message: those of the properties that are set.
     */
    static String origin(final String... names) {
        final String set = Arrays.stream(names).filter(name -> System.getProperty(name) != null)
            .map(name -> " " + name + "=" + System.getProperty(name)).collect(Collectors.joining());
        return set.isEmpty() ? "" : "; system properties:" + set;
    }

    /** A timeout or an interval in nanoseconds, with the bounds that nearly all have. */
    static long timeoutNs(final String name, final long defaultNs) {
        return quantity(
            name, defaultNs, Quantities::durationNs, Configuration.TIMEOUT_MIN_NS, Configuration.TIMEOUT_MAX_NS);
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

    /** The length in bytes of memory that is at least the smallest window. */
    static long length(final String property, final long defaultLength, final long maximum) {
        return quantity(property, defaultLength, Quantities::size, Configuration.WINDOW_MIN, maximum);
    }
}
