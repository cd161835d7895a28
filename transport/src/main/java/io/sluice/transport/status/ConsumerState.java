package io.sluice.transport.status;

/**
 * Whether somebody takes messages from a ring, as the state counter of a consumer has it: the value is the ordinal.
 */
public enum ConsumerState {
    /** The consumer's thread has not begun: for {@code poll}, nobody has polled yet. */
    NOT_STARTED,
    /** The consumer's thread lives. */
    ALIVE,
    /** The consumer's thread has ended, or the consumer has left the ring: it takes nothing any more. */
    DEAD,
    /**
     * The consumer held others up for too long, and takes nothing any more, whether or not its handler has come back.
     */
    EVICTED;

    /**
     * The name of a counter's value.
     *
     * @param value of a state counter, which may come from outside.
     * @return the state in lower case with dashes, or the number when it is none.
     */
    public static String nameOf(final long value) {
        return OrdinalNames.of(values(), value);
    }
}
