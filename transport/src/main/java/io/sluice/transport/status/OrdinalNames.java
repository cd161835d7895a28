package io.sluice.transport.status;

import java.util.Locale;

/** The names for people of counters whose values are ordinals. Any thread. */
final class OrdinalNames {
    private OrdinalNames() {
    }

    /** The constant in lower case with dashes, or the number when it is none: the value may come from outside. */
    static String of(final Enum<?>[] all, final long value) {
        return value >= 0 && value < all.length
            ? all[(int) value].name().toLowerCase(Locale.ROOT).replace('_', '-')
            : Long.toString(value);
    }
}
