package io.sluice.verbs.rdma;

/** Error numbers that providers return, and not through {@code errno}. Data path; stateless. */
final class ProviderErrno {
    static final int EIO = 5;
    /** Result of a provider that has failed and does not say with which error. */
    private static final int NO_ERRNO = -1;

    private ProviderErrno() {
    }

    /**
     * The error number of what a provider's post returns. Some (qedr, erdma) return it negative, as the kernel does:
     * a queue that is full answers -ENOMEM there.
     */
    static int of(final int result) {
        return result >= 0 ? result : result == NO_ERRNO ? EIO : -result;
    }
}
