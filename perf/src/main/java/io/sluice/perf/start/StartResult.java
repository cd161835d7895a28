package io.sluice.perf.start;

/**
 * One process' figures.
 *
 * @param startCase   what was measured.
 * @param connectedMs milliseconds from the beginning of {@code main} until both streams were connected.
 * @param steadyMs    the same until round trips were, and stayed for a while, within 1.2 times what they are at the
 *                    end.
 * @param steadyNs    nanoseconds of a round trip at the end, the median.
 * @param compilersMs milliseconds of processor time that the JVM's compilers took in the first four seconds; NaN where
 *                    the system does not tell.
 */
public record StartResult(
    StartCase startCase, double connectedMs, double steadyMs, double steadyNs, double compilersMs) {
    private static final int FIELDS = 4;

    /** A line of {@link StartProcess}. */
    static StartResult parse(final StartCase startCase, final String line) {
        final String[] fields = line.split(" ");
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("fields=" + fields.length + " expected=" + FIELDS + ": " + line);
        }
        int next = 0;
        return new StartResult(startCase, Double.parseDouble(fields[next++]), Double.parseDouble(fields[next++]),
            Double.parseDouble(fields[next++]), Double.parseDouble(fields[next]));
    }
}
