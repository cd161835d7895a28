package io.sluice.perf.rig;

/**
 * The state of the machine while one measurement was taken, as far as it shows. Immutable; any
 * thread.
 *
 * @param before      round trip between the cores just before, by the measuring threads; unknown when the measurement
 *                    failed so early.
 * @param after       and just after.
 * @param batchSpread the upper quartile of a closed loop's batches divided by the lower one; 1 of whatever has none.
 * @param othersUse   processors that other programs used meanwhile: 0.5 is half of one all the time.
 * @param preemptions of the measuring thread while it measured; 0 when it failed.
 */
public record MachineState(
    CoreRoundTrip before, CoreRoundTrip after, double batchSpread, double othersUse, long preemptions) {
    /**
     * The factor from which on cores count as moved: between near and far ones a round trip differs by a factor of
     * three and more; a system's own scatter, from one quartile to the other and from one way to time it to the other,
     * is below half as much again.
     */
    static final double MOVED_FACTOR = 2;

    /** A tenth of a processor: the runs of a quiet machine show less than half of that. */
    private static final double MAX_OTHERS_USE = 0.1;

    boolean isSteady() {
        return before.isLike(after) && batchSpread <= MOVED_FACTOR;
    }

    boolean isDisturbed() {
        return othersUse > MAX_OTHERS_USE;
    }

    boolean isLike(final MachineState other) {
        return before.isLike(other.before) && before.isLike(other.after)
            && after.isLike(other.before) && after.isLike(other.after);
    }
}
