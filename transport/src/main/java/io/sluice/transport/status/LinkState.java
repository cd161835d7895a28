package io.sluice.transport.status;

/** The state of a link, as its state counter has it: the counter's value is the ordinal. */
public enum LinkState {
    /** The link's queue pair and memory are being made. */
    PREPARING,
    /** The two ends are shaking hands. */
    CONNECTING,
    /** Data flows. */
    ACTIVE,
    /** Broken, and to be resumed if the peer comes back in time. */
    BROKEN,
    /** The end has begun: nothing more arrives, and what has arrived is still being consumed. */
    ENDING,
    /** The link is over for good. */
    GONE;

    /**
     * The name of a counter's value.
     *
     * @param value of a state counter, which may come from outside.
     * @return the state in lower case, or the number when it is none.
     */
    public static String nameOf(final long value) {
        return OrdinalNames.of(values(), value);
    }
}
