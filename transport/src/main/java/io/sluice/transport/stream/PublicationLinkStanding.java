package io.sluice.transport.stream;

/**
 * The standing of a publication's link: its state and the epoch that it is in. The link owns and writes it, on the
 * conductor only; both values are volatile because the set-up thread asks whether an epoch that waits for it is still
 * wanted.
 */
final class PublicationLinkStanding {
    /** The state of the link; a new one begins like one that is broken. */
    private volatile PublicationLinkState state = PublicationLinkState.BROKEN;
    /**
     * The epoch that was begun last, from 1; 0 before the first, which no message may carry. Messages of the peer about
     * another epoch are of the past, and dropped.
     */
    private volatile long epoch;

    /**
     * {@return the number of the next epoch, which is prepared from now on} Counted before anything is made, so that an
     * attempt that fails is never taken for the one after it.
     */
    long prepare() {
        moveTo(PublicationLinkState.PREPARING);
        final long next = epoch + 1;
        epoch = next;
        return next;
    }

    /** Moves the link on; a step that its table does not have is a bug, which tests find by the assertion. */
    void moveTo(final PublicationLinkState next) {
        assert is(next) || state.mayBecome(next) : state + " to " + next;
        state = next;
    }

    /** {@return the state} Any thread. */
    PublicationLinkState state() {
        return state;
    }

    boolean is(final PublicationLinkState asked) {
        return state == asked;
    }

    /** {@return the number of the epoch} Any thread. */
    long epoch() {
        return epoch;
    }

    /** {@return whether an epoch is still to be set up} Any thread. */
    boolean isPreparing(final long preparedEpoch) {
        return state == PublicationLinkState.PREPARING && epoch == preparedEpoch;
    }
}
