package io.sluice.transport.stream;

import io.sluice.transport.status.LinkState;

/** The states of a publication's link. */
public enum PublicationLinkState {
    /** The set-up thread makes queue pair and feedback cell. */
    PREPARING,
    /** The peer's answer is awaited. */
    SETUP_SENT,
    /** The set-up thread connects the queue pair. */
    CONNECTING,
    /** The writing thread is about to see the link. */
    JOINING,
    /** Data flows. */
    ACTIVE,
    /** The epoch is over; the next one begins as soon as the peer can be reached. */
    BROKEN,
    /** The link is over for good. */
    GONE;

    /** {@return whether a link may go from here to another state: the steps of the table of {@link PublicationLink}} */
    boolean mayBecome(final PublicationLinkState next) {
        return switch (this) {
            case BROKEN -> next == PREPARING || next == GONE;
            case PREPARING -> next == SETUP_SENT || next == BROKEN || next == GONE;
            case SETUP_SENT -> next == CONNECTING || next == BROKEN || next == GONE;
            case CONNECTING -> next == JOINING || next == BROKEN || next == GONE;
            case JOINING -> next == ACTIVE || next == BROKEN || next == GONE;
            case ACTIVE -> next == BROKEN || next == GONE;
            case GONE -> false;
        };
    }

    /** Whether the link, if it was established before, is on its way to its next epoch. */
    boolean isResuming() {
        return this != GONE && !isLive();
    }

    /** Whether data flows, or is about to. */
    boolean isLive() {
        return this == JOINING || this == ACTIVE;
    }

    /** Whether the peer has begun the epoch, too, and may break it. */
    boolean hasPeer() {
        return this == CONNECTING || isLive();
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
            case SETUP_SENT, CONNECTING, JOINING -> LinkState.CONNECTING;
            case ACTIVE -> LinkState.ACTIVE;
            case BROKEN -> LinkState.BROKEN;
            case GONE -> LinkState.GONE;
        };
    }
}
