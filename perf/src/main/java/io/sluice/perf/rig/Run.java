package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One measurement of one peer, between two looks at the cores.
 *
 * @param peer       that was measured.
 * @param point      what of it.
 * @param round      from 1.
 * @param machine    while it was measured.
 * @param values     of the measure's metrics, empty when it failed.
 * @param settings   that the peer ran with, as its host process told.
 * @param roundTrips all of them in nanoseconds, or null when it measured something else or failed.
 * @param failure    why its figures do not count, or null.
 */
public record Run(
    PeerKind peer,
    Point point,
    int round,
    MachineState machine,
    Map<Metric, Double> values,
    Map<String, String> settings,
    Histogram roundTrips,
    Failure failure) {

    private static final double LOWER_QUARTILE = 25;
    private static final double UPPER_QUARTILE = 75;
    private static final double NS_PER_US = 1000;

    /**
     * Whether the run lost messages, missed its rate or did not come to its end.
     *
     * @return true when its figures do not count.
     */
    public boolean hasFailed() {
        return failure != null;
    }

    /**
     * Whether the machine was in one and the same state before, after and, as far as a closed loop shows it, between.
     *
     * @return false when the cores moved meanwhile.
     */
    public boolean isSteady() {
        return machine.isSteady() && isRoundTripSteady();
    }

    /** Round trips that were timed one by one, and by the batch after that, saw the same cores all the time. */
    private boolean isRoundTripSteady() {
        final Double batchUs = values.get(Metric.RTT_BATCH);
        if (batchUs == null || roundTrips == null || roundTrips.getTotalCount() == 0) {
            return true;
        }
        final double batchNs = batchUs * NS_PER_US;
        final double lowerNs = roundTrips.getValueAtPercentile(LOWER_QUARTILE);
        final double upperNs = roundTrips.getValueAtPercentile(UPPER_QUARTILE);
        return Math.max(batchNs, upperNs) <= MachineState.MOVED_FACTOR * Math.min(batchNs, lowerNs);
    }

    /**
     * Whether other programs took so much of the machine that the figures are partly theirs.
     *
     * @return true when they did.
     */
    public boolean isDisturbed() {
        return machine.isDisturbed();
    }

    /**
     * Whether its figures count.
     *
     * @return true when it is whole, the machine was steady, and others left it alone.
     */
    public boolean counts() {
        return !hasFailed() && isSteady() && !isDisturbed();
    }

    /**
     * Whether the run may be compared with another.
     *
     * @param other of another peer.
     * @return true when both are whole and the cores were in the same state all the time.
     */
    public boolean isComparable(final Run other) {
        return counts() && other.counts() && machine.isLike(other.machine);
    }
}
