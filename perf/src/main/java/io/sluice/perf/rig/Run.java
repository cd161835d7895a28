package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One measurement of one peer, between two looks at the cores.
 *
 * @param peer          that was measured.
 * @param point         what of it.
 * @param round         from 1.
 * @param before        round trip between the cores just before, by the measuring threads; unknown when it failed so
 *                      early.
 * @param after         and just after.
 * @param batchSpread   the upper quartile of a closed loop's batches divided by the lower one; 1 of whatever has none.
 * @param othersUse     processors that other programs used meanwhile: 0.5 is half of one all the time.
 * @param values        of the measure's metrics, empty when it failed.
 * @param preemptions   of the measuring thread while it measured; 0 when it failed.
 * @param settings      that the peer ran with, as its host process told.
 * @param roundTrips    all of them in nanoseconds, or null when it measured something else or failed.
 * @param failure       why its figures do not count, or null.
 */
public record Run(
    PeerKind peer,
    Point point,
    int round,
    CoreRoundTrip before,
    CoreRoundTrip after,
    double batchSpread,
    double othersUse,
    Map<Metric, Double> values,
    long preemptions,
    Map<String, String> settings,
    Histogram roundTrips,
    Failure failure) {

    /** A tenth of a processor: the runs of a quiet machine show less than half of that. */
    private static final double MAX_OTHERS_USE = 0.1;

    /**
     * Between near and far cores a round trip differs by a factor of three and more; a system's own scatter, from one
     * quartile to the other and from one way to time it to the other, is below half as much again.
     */
    private static final double MOVED_FACTOR = 2;
    private static final double LOWER_QUARTILE = 25;
    private static final double UPPER_QUARTILE = 75;
    private static final double NS_PER_US = 1000;

    /**
     * Whether it lost messages, missed its rate or did not come to its end.
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
        return before.isLike(after) && batchSpread <= MOVED_FACTOR && isRoundTripSteady();
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
        return Math.max(batchNs, upperNs) <= MOVED_FACTOR * Math.min(batchNs, lowerNs);
    }

    /**
     * Whether other programs took so much of the machine that the figures are partly theirs.
     *
     * @return true when they did.
     */
    public boolean isDisturbed() {
        return othersUse > MAX_OTHERS_USE;
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
     * Whether it may be compared with another.
     *
     * @param other of another peer.
     * @return true when both are whole and the cores were in the same state all the time.
     */
    public boolean isComparable(final Run other) {
        return counts() && other.counts() && before.isLike(other.before) && before.isLike(other.after)
            && after.isLike(other.before) && after.isLike(other.after);
    }
}
