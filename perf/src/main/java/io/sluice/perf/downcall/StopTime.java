package io.sluice.perf.downcall;

/**
 * The time until all threads are stopped and run again, of many stops. Immutable; any thread.
 *
 * @param medianUs  microseconds of the median.
 * @param longestUs microseconds of the longest.
 */
public record StopTime(double medianUs, double longestUs) {
}
