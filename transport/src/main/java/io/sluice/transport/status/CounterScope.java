package io.sluice.transport.status;

/**
 * The kind of thing that a counter is about.
 */
public enum CounterScope {
    /** The transport as a whole. */
    TRANSPORT,
    /** One of the transport's agents. */
    AGENT,
    /** A publication. */
    PUBLICATION,
    /** A publication's end of a link to one subscription. */
    LINK,
    /** A subscription. */
    SUBSCRIPTION,
    /** A subscription's end of a link: one publication's stream. */
    IMAGE,
    /** The ring between poller and consumers of a subscription in DEDICATED mode. */
    RING,
    /** A consumer of such a ring: a handler of a graph, or whoever polls. */
    CONSUMER,
    /** Messages of a subscription with {@code latency=true} at one stage of their way, as one consumer handled them. */
    LATENCY,
    /** The application, which counts for itself. */
    APPLICATION;

    /**
     * Whether counters of this scope have a stream id.
     *
     * @return false for the transport, its agents and the application.
     */
    public boolean hasStream() {
        return this != TRANSPORT && this != AGENT && this != APPLICATION;
    }

    /**
     * Whether counters of this scope belong to one session: a subscription, its ring and consumers serve many.
     *
     * @return true for publications, links and images.
     */
    public boolean hasSession() {
        return this == PUBLICATION || this == LINK || this == IMAGE;
    }
}
