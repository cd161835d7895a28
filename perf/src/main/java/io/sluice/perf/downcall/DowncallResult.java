package io.sluice.perf.downcall;

/**
 * One process' figures.
 *
 * @param downcallCase   what was measured.
 * @param storesNs       nanoseconds of a call of a few stores from Java.
 * @param storesCNs      the same from C, in the same process.
 * @param systemCallNs   nanoseconds of a call that makes the shortest system call from Java.
 * @param systemCallCNs  the same from C.
 * @param stopUs         microseconds until all threads are stopped and run again while one of them makes slow system
 *                       calls, the median.
 * @param longestStopUs  the longest of them.
 * @param resizeStopUs   microseconds for the same while one of them posts to a full queue that is resized, the median.
 * @param longestResizeStopUs the longest of them.
 */
public record DowncallResult(
    DowncallCase downcallCase,
    double storesNs,
    double storesCNs,
    double systemCallNs,
    double systemCallCNs,
    double stopUs,
    double longestStopUs,
    double resizeStopUs,
    double longestResizeStopUs) {

    /** A line of {@link DowncallProcess}. */
    static DowncallResult parse(final DowncallCase downcallCase, final String line) {
        final String[] fields = line.split(" ");
        final double[] values = new double[8];
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.parseDouble(fields[i]);
        }
        return new DowncallResult(downcallCase, values[0], values[1], values[2], values[3], values[4], values[5],
            values[6], values[7]);
    }
}
