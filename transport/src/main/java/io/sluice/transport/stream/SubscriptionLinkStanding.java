package io.sluice.transport.stream;

/**
 * The standing of a subscription's link: its state and the epoch that it is in. Three parts of the link move it: itself
 * up to ACTIVE, {@link SubscriptionResumption} to BROKEN, and {@link SubscriptionLinkEnd} to ENDING and GONE; a set-up
 * that fails goes back to BROKEN. The link owns it. Written by the conductor only; both values are volatile because the
 * set-up thread asks whether an epoch that waits for it is still wanted.
 */
final class SubscriptionLinkStanding {
    private volatile SubscriptionLinkState state = SubscriptionLinkState.PREPARING;
    /** The epoch that was begun last, as the publisher has numbered it: greater each time, maybe by more than one. */
    private volatile long epoch;

    /**
     * Starts the preparation of the next epoch. A set-up thread that looks between the two writes may make one for the
     * epoch before, which is dropped when the conductor hears of it.
     */
    void prepare(final long nextEpoch) {
        assert is(SubscriptionLinkState.PREPARING) || state.mayBecome(SubscriptionLinkState.PREPARING) : state;
        state = SubscriptionLinkState.PREPARING;
        epoch = nextEpoch;
    }

    /** Moves the link on; a step that its table does not have is a bug, which tests find by the assertion. */
    void moveTo(final SubscriptionLinkState next) {
        assert is(next) || state.mayBecome(next) : state + " to " + next;
        state = next;
    }

    /** {@return the state} Any thread. */
    SubscriptionLinkState state() {
        return state;
    }

    boolean is(final SubscriptionLinkState asked) {
        return state == asked;
    }

    /** {@return whether nothing more arrives, whatever the publication does} */
    boolean isOver() {
        return state == SubscriptionLinkState.ENDING || state == SubscriptionLinkState.GONE;
    }

    /** {@return the number of the epoch} Any thread. */
    long epoch() {
        return epoch;
    }

    /**
     * {@return whether an epoch is still to be set up} Any thread: the set-up thread asks when its turn comes, so that
     * many attempts that have piled up cost little.
     */
    boolean isPreparing(final long preparedEpoch) {
        return state == SubscriptionLinkState.PREPARING && epoch == preparedEpoch;
    }
}
