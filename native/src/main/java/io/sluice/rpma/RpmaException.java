package io.sluice.rpma;

import io.sluice.verbs.Errno;

/**
 * A function of librpma failed while something was set up or torn down. The data path never throws it: there, errors
 * are return values and completions.
 */
public final class RpmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** One of {@link RpmaError}. */
    private final int code;
    /** Error number of the provider, 0 when it is not known. */
    private final int errno;

    /**
     * Make the exception of a failure; of use to tests of programs, too.
     *
     * @param call   function that failed.
     * @param code   one of {@link RpmaError}.
     * @param errno  error number of the provider, 0 when it is not known.
     * @param detail for people: state, and what to do.
     */
    public RpmaException(final String call, final int code, final int errno, final String detail) {
        super(call + ": " + detail + " (" + RpmaError.describe(code)
            + (errno == 0 ? "" : ", errno=" + Errno.describe(errno)) + ")");
        this.code = code;
        this.errno = errno;
    }

    /**
     * The result that librpma has returned.
     *
     * @return one of {@link RpmaError}.
     */
    public int code() {
        return code;
    }

    /**
     * The error number of libibverbs or librdmacm underneath.
     *
     * @return errno; 0 when there is none or the library did not tell.
     */
    public int errno() {
        return errno;
    }
}
