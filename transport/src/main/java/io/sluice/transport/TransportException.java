package io.sluice.transport;

/**
 * The transport could not do what was asked while something was set up, or broke a promise that the application must
 * know of. The data path never throws it.
 */
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure.
     *
     * @param message with the values involved, and what to do.
     */
    public TransportException(final String message) {
        super(message);
    }

    /**
     * A failure with a cause.
     *
     * @param message with the values involved, and what to do.
     * @param cause   underneath.
     */
    public TransportException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
