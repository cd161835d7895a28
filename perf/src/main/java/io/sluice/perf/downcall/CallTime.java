package io.sluice.perf.downcall;

/**
 * The time of one native call, from two languages in the same process. Immutable; any thread.
 *
 * @param javaNs nanoseconds of the call from Java.
 * @param cNs    nanoseconds of the call from C.
 */
public record CallTime(double javaNs, double cNs) {
}
