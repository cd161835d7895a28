package io.sluice.rpma;

/** Flags that say when an operation makes a completion, rpma_send(3). One of them must be given; there is no other. */
public final class RpmaCompletionFlags {
    /** {@code RPMA_F_COMPLETION_ON_ERROR}: when it fails only. */
    public static final int ON_ERROR = 1;
    /** {@code RPMA_F_COMPLETION_ALWAYS}: when it is done, and when it fails. */
    public static final int ALWAYS = 1 << 1 | ON_ERROR;

    private RpmaCompletionFlags() {
    }
}
