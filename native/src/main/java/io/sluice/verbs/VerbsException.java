package io.sluice.verbs;

/**
 * A verb failed while something was set up or torn down. The data path never throws it: there, errors are return
 * values and completions.
 */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Error number, 0 when there is none. */
    private final int errno;

    /**
     * A failed call.
     *
     * @param call   the verb, as the manual page names it.
     * @param errno  error number, 0 when there is none.
     * @param detail what happened, with the values involved, and what to do about it.
     */
    public VerbsException(final String call, final int errno, final String detail) {
        this(call, errno, detail, null);
    }

    /**
     * A failed call with a cause.
     *
     * @param call   the verb, as the manual page names it.
     * @param errno  error number, 0 when there is none.
     * @param detail what happened, with the values involved, and what to do about it.
     * @param cause  the failure underneath, or null.
     */
    public VerbsException(final String call, final int errno, final String detail, final Throwable cause) {
        super(call + ": " + detail + (errno == 0 ? "" : " (errno=" + Errno.describe(errno) + ")"), cause);
        this.errno = errno;
    }

    private VerbsException(final VerbsException cause, final String origin) {
        super(cause.getMessage() + origin, cause);
        errno = cause.errno;
    }

    /**
     * Tell also where a value came from that the call was given.
     *
     * @param origin to stand behind the message, with what separates the two; empty for none.
     * @return this, or the same failure with the longer message and this as its cause.
     */
    public VerbsException withOrigin(final String origin) {
        return origin.isEmpty() ? this : new VerbsException(this, origin);
    }

    /**
     * The error number.
     *
     * @return errno of the failed call, 0 when there is none.
     */
    public int errno() {
        return errno;
    }
}
