package io.sluice.transport.stream;

import io.sluice.transport.status.LinkState;

/** The states of a subscription's link. */
public enum SubscriptionLinkState {
    /** The set-up thread makes ring and queue pair. */
    PREPARING,
    /** The publisher has still to establish the epoch. */
    ACCEPTED,
    /** Data flows. */
    ACTIVE,
    /** The epoch is over; the publisher may begin the next one. */
    BROKEN,
    /** The end has begun: nothing more arrives. */
    ENDING,
    /** The link is over. */
    GONE;

    /** {@return whether a link may go from here to another state: steps in the table of {@link SubscriptionLink}} */
    boolean mayBecome(final SubscriptionLinkState next) {
        return switch (this) {
            case PREPARING -> next == ACCEPTED || next == BROKEN || next == ENDING || next == GONE;
            case ACCEPTED -> next == ACTIVE || next == BROKEN || next == ENDING || next == GONE;
            case ACTIVE -> next == BROKEN || next == ENDING || next == GONE;
            case BROKEN -> next == PREPARING || next == ENDING || next == GONE;
            case ENDING -> next == GONE;
            case GONE -> false;
        };
    }

    /** Whether the publisher hears reports: not on the way through a break, where the control session may be lost. */
    boolean isTold() {
        return this == ACTIVE || this == ENDING;
    }

    /** Whether the publisher may be writing in the current epoch, whether it has said so or not. */
    boolean isLive() {
        return this == ACCEPTED || this == ACTIVE;
    }

    /** Whether there is no queue pair yet, or none that is known of. */
    boolean lacksQueuePair() {
        return this == PREPARING || this == BROKEN;
    }

    /**
     * The state as counters show it.
     *
     * @return the state.
     */
    public LinkState status() {
        return switch (this) {
            case PREPARING -> LinkState.PREPARING;
            case ACCEPTED -> LinkState.CONNECTING;
            case ACTIVE -> LinkState.ACTIVE;
            case BROKEN -> LinkState.BROKEN;
            case ENDING -> LinkState.ENDING;
            case GONE -> LinkState.GONE;
        };
    }
}
