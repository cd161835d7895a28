package io.sluice.transport.stream;

import io.sluice.transport.status.LinkState;

/**
 * Where a subscription's link stands.
 */
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
    /** Over. */
    GONE;

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
