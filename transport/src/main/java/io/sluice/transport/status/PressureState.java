package io.sluice.transport.status;

/** The state that says how far a publication or a subscription is from being held up. Immutable; any thread. */
public enum PressureState {
    /** The publication or subscription has room. */
    CLEAR,
    /** Most of the room is taken, or posts have been waiting for long. */
    PRESSURED,
    /** No room was left: an offer was refused, a ring was full, or a completion queue was overrun. */
    BLOCKED;

    /**
     * The name of a counter's value.
     *
     * @param value of a pressure counter, which may come from outside.
     * @return the constant in lower case with dashes, or the number when it is none.
     */
    public static String nameOf(final long value) {
        return OrdinalNames.of(values(), value);
    }
}
