package io.sluice.perf.rig;

/**
 * The time that a cache line takes from one core to another and back at a moment, as the two measuring threads saw it
 * themselves. A host moves virtual cores about, so this changes by a factor of up to four between minutes, and every
 * figure with it.
 *
 * @param medianNs median over batches of the mean round trip, which a passing disturbance does not move; not a number
 *                 when nobody came to measure it.
 */
public record CoreRoundTrip(double medianNs) {
    /** The round trip of a run that failed before it was measured. */
    public static final CoreRoundTrip UNKNOWN = new CoreRoundTrip(Double.NaN);

    /**
     * The factor within which two figures are of one state of the machine. One state gives the same figure within a
     * fifth; other states were seen at twice and at four times the figure.
     */
    private static final double SAME_STATE_FACTOR = 1.5;

    /**
     * Whether the round trip was measured.
     *
     * @return false of {@link #UNKNOWN}.
     */
    public boolean isKnown() {
        return !Double.isNaN(medianNs);
    }

    /**
     * Whether the cores were as far apart when another was measured.
     *
     * @param other round trip.
     * @return true when the two are of one state of the machine; false when one of them is not known.
     */
    public boolean isLike(final CoreRoundTrip other) {
        return Math.max(medianNs, other.medianNs) <= SAME_STATE_FACTOR * Math.min(medianNs, other.medianNs);
    }
}
