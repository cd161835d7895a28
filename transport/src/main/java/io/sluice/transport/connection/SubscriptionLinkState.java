package io.sluice.transport.connection;

/**
 * Where a subscription's link stands.
 */
enum SubscriptionLinkState {
    /** The set-up thread makes ring and queue pair. */
    PREPARING,
    /** The publisher has still to establish the epoch. */
    ACCEPTED,
    /** Data flows. */
    ACTIVE,
    /** The epoch is over; the publisher may begin the next one. */
    BROKEN,
    /** Nothing more arrives. */
    ENDING,
    /** Over. */
    GONE
}
