package io.sluice.transport.status;

/**
 * The cause that holds a publication or a subscription up. Immutable; any thread.
 */
public enum BackPressureCause {
    /** No cause: nothing holds the publication or subscription up. */
    NONE,
    /** The ring between a poller and its consumers: one of them is slow. */
    RING_FULL,
    /** The window: a subscription has not consumed what was sent. */
    WINDOW_EXHAUSTED,
    /** The send queue of a link had no slot, so that committed bytes had to wait for the next post. */
    SEND_QUEUE_FULL,
    /**
     * Three quarters of a completion queue were full when it was drained: whoever drains it comes too late, or the
     * device has less room than was asked of it.
     */
    CQ_NEAR_FULL,
    /** A completion queue has overrun: what it would have told of is not known, and the links on it break. */
    CQ_OVERRUN,
    /** A subscription has not drained enough, so that committed bytes had to wait for receives. */
    RECEIVER_NOT_READY;

    /**
     * The name of a counter's value.
     *
     * @param value of a cause counter, which may come from outside.
     * @return the constant in lower case with dashes, or the number when it is none.
     */
    public static String nameOf(final long value) {
        return OrdinalNames.of(values(), value);
    }
}
