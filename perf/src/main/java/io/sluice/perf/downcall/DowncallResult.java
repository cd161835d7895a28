package io.sluice.perf.downcall;

/**
 * One process' figures.
 *
 * @param downcallCase of which they are.
 * @param stores       a call of a few stores.
 * @param systemCall   a call that makes the shortest system call.
 * @param stop         while one of the threads makes slow system calls.
 * @param resizeStop   while one of them posts to a full queue that is resized.
 */
public record DowncallResult(
    DowncallCase downcallCase, CallTime stores, CallTime systemCall, StopTime stop, StopTime resizeStop) {

    /** A line of {@link DowncallProcess}. */
    static DowncallResult parse(final DowncallCase downcallCase, final String line) {
        final String[] fields = line.split(" ");
        final double[] values = new double[8];
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.parseDouble(fields[i]);
        }
        return new DowncallResult(
            downcallCase, new CallTime(values[0], values[1]), new CallTime(values[2], values[3]),
            new StopTime(values[4], values[5]), new StopTime(values[6], values[7]));
    }
}
