package io.sluice.transport.status;

import java.io.Serial;
import java.util.Objects;

/**
 * An error that a transport tells of itself: by its {@link #kind()} for programs, by its text for people. Error
 * handlers are given it for everything but what the program's own handlers throw, which they are given as it was
 * thrown; the data path never throws it. A failure underneath is its cause, of a device for example an
 * {@link io.sluice.verbs.VerbsException} with the error number.
 */
public final class TransportException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Kind by which programs tell errors apart. */
    private final ErrorKind kind;

    /**
     * A failure.
     *
     * @param kind    of failure.
     * @param message with the values involved, and what to do.
     */
    public TransportException(final ErrorKind kind, final String message) {
        this(kind, message, null);
    }

    /**
     * A failure with a cause.
     *
     * @param kind    of failure.
     * @param message with the values involved, and what to do.
     * @param cause   underneath, or null.
     */
    public TransportException(final ErrorKind kind, final String message, final Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /**
     * The kind of the failure.
     *
     * @return by which a program chooses what to do.
     */
    public ErrorKind kind() {
        return kind;
    }

    /** {@return the class, the kind, and the message} */
    @Override
    public String toString() {
        return getClass().getName() + ": " + kind + ": " + getMessage();
    }
}
