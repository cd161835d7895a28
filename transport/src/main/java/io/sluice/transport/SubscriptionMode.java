package io.sluice.transport;

/**
 * The choice of the thread that drains a subscription's completion queue.
 */
public enum SubscriptionMode {
    /** The thread that polls the subscription, inside {@code poll}: no hop between threads, lowest latency. */
    INVOKER,
    /** A poller thread of the transport, which publishes messages onto a ring; {@code poll} takes them from there. */
    DEDICATED
}
