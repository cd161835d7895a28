package io.sluice.samples;

/**
 * A run that could not be finished, for a reason that one line tells the user.
 */
final class RunFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunFailure(final String message) {
        super(message);
    }

    RunFailure(final String message, final Throwable cause) {
        super(message, cause);
    }
}
