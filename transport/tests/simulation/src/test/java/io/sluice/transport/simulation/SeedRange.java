package io.sluice.transport.simulation;

/**
 * Seeds that are run one after the other.
 *
 * @param first of them, at least 1.
 * @param last  of them.
 */
record SeedRange(long first, long last) {
    /** The seeds that every whole check runs, the same each time: only a change of the code changes the outcome. */
    static final SeedRange OF_BUILD = new SeedRange(1, 1_000);
    /** The first of them, for {@code ./sluice test}, which is to end within minutes. */
    static final SeedRange IN_SHORT = new SeedRange(1, 100);

    private static final String SEPARATOR = "..";

    SeedRange {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("expected A..B with 1 <= A <= B: " + first + SEPARATOR + last);
        }
    }

    /** Read {@code A..B}. */
    static SeedRange parse(final String text) {
        final int separator = text.indexOf(SEPARATOR);
        try {
            if (separator >= 0) {
                return new SeedRange(
                    Long.parseLong(text.substring(0, separator)),
                    Long.parseLong(text.substring(separator + SEPARATOR.length())));
            }
        } catch (final NumberFormatException ex) {
            // as if there were no numbers at all
        }
        throw new IllegalArgumentException("expected A..B, for example " + OF_BUILD);
    }

    long count() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return first + SEPARATOR + last;
    }
}
