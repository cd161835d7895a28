package io.sluice.perf.embed;

/**
 * One process' figures.
 *
 * @param embedCase   what was measured.
 * @param launchMs    milliseconds until the system was started.
 * @param firstLinkMs milliseconds from the adding of the first publication and subscription until both were connected.
 * @param nextLinkMs  the same of those that followed, each when the one before was closed and gone, the median.
 * @param cycleNs     nanoseconds of processor time of a turn of the program's loop; NaN where agents have threads.
 * @param idlePercent per cent of a processor that the whole process takes at rest.
 */
public record EmbedResult(
    EmbedCase embedCase, double launchMs, double firstLinkMs, double nextLinkMs, double cycleNs, double idlePercent) {
    private static final int FIELDS = 5;

    /** A line of {@link EmbedProcess}. */
    static EmbedResult parse(final EmbedCase embedCase, final String line) {
        final String[] fields = line.split(" ");
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("fields=" + fields.length + " expected=" + FIELDS + ": " + line);
        }
        int next = 0;
        return new EmbedResult(embedCase, Double.parseDouble(fields[next++]), Double.parseDouble(fields[next++]),
            Double.parseDouble(fields[next++]), Double.parseDouble(fields[next++]), Double.parseDouble(fields[next]));
    }
}
