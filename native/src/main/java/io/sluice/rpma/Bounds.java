package io.sluice.rpma;

/** Bounds of numbers that a configuration takes. */
final class Bounds {
    private Bounds() {
    }

    static void requireAtLeast(final String name, final int value, final int min) {
        if (value < min) {
            throw new IllegalArgumentException(name + "=" + value + " is less than " + min);
        }
    }
}
