package io.sluice.perf.drain;

/**
 * One process' figure.
 *
 * @param drainCase what was measured.
 * @param burst     completions that were there at a time; 0: none, and polls are counted.
 * @param javaNs    nanoseconds of Java for each completion, the median of its samples.
 * @param cNs       the same of C, in the same process.
 * @param allocated bytes that Java allocates for each completion, the mean of its samples.
 */
public record DrainResult(DrainCase drainCase, int burst, double javaNs, double cNs, double allocated) {
    /**
     * The ratio of the two times.
     *
     * @return Java's time over that of C.
     */
    public double ratio() {
        return javaNs / cNs;
    }

    /** A line of {@link DrainProcess}. */
    static DrainResult parse(final DrainCase drainCase, final String line) {
        final String[] fields = line.split(" ");
        return new DrainResult(
            drainCase, Integer.parseInt(fields[0]), Double.parseDouble(fields[1]), Double.parseDouble(fields[2]),
            Double.parseDouble(fields[3]));
    }
}
