package io.sluice.samples.rpma;

/**
 * A connection over librpma cannot be had, or goes on no more, for a reason that one line tells the user.
 */
public final class RpmaLinkFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RpmaLinkFailure(final String message) {
        super(message);
    }

    RpmaLinkFailure(final RuntimeException cause) {
        super(cause.getMessage(), cause);
    }
}
