package io.sluice.transport;

/**
 * Refuses a call from inside a handler or listener that would have to wait for that very handler, or hand out its
 * message once more: {@link Transport#close()} and {@link Transport#doWork()} from inside what the transport itself
 * calls, a poll of a subscription from inside its own poll, and a poll with a message dispatcher from inside its own
 * handler when there can be no second decoder. Nothing has changed when it is thrown. Thrown on the
 * thread that calls, before anything is done; the message says what to do instead.
 */
public final class ReentrantCallException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message with what is called, from where, and what to do.
     */
    public ReentrantCallException(final String message) {
        super(message);
    }

    /**
     * A refusal of what could not be made possible.
     *
     * @param message with what is called, from where, and what to do.
     * @param cause   what kept it from being possible.
     */
    public ReentrantCallException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
