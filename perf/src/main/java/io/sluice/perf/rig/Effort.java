package io.sluice.perf.rig;

/**
 * The effort of a plan: how often and how long to measure. Immutable; any thread.
 *
 * @param rounds       of all peers, interleaved.
 * @param warmUpNs     of each process.
 * @param roundTrips   per measurement.
 * @param durationNs   per measurement of throughput.
 * @param quietLimitNs how long a run waits for a moment in which nothing else runs.
 */
public record Effort(int rounds, long warmUpNs, int roundTrips, long durationNs, long quietLimitNs) {
}
