package io.sluice.transport.status;

/**
 * What a counter is about.
 */
public enum CounterScope {
    /** The transport as a whole. */
    TRANSPORT,
    /** One of its agents. */
    AGENT,
    /** A publication. */
    PUBLICATION,
    /** A publication's end of a link to one subscription. */
    LINK,
    /** A subscription. */
    SUBSCRIPTION,
    /** A subscription's end of a link: one publication's stream. */
    IMAGE
}
