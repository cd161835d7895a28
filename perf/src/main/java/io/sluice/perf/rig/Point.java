package io.sluice.perf.rig;

/**
 * A point at which every system is measured: figures are compared at one point only.
 *
 * @param measure       how.
 * @param messageLength in bytes.
 * @param ratePerSecond messages that are sent per second, 0 when the system itself decides.
 */
public record Point(Measure measure, int messageLength, int ratePerSecond) {
    /**
     * A point without a rate.
     *
     * @param measure       how.
     * @param messageLength in bytes.
     */
    public Point(final Measure measure, final int messageLength) {
        this(measure, messageLength, 0);
    }

    /**
     * Length and rate, for people.
     *
     * @return for example {@code "32 B"} or {@code "32 B at 10000/s"}.
     */
    public String size() {
        return messageLength + " B" + (ratePerSecond == 0 ? "" : " at " + ratePerSecond + "/s");
    }

    /** {@return a part of a file's name} */
    String fileName() {
        return measure.label() + "-" + messageLength + "B" + (ratePerSecond == 0 ? "" : "-" + ratePerSecond + "ps");
    }
}
