package io.sluice.rpma;

/** The results of librpma's functions, librpma(7): 0, or one of these negative numbers. */
public final class RpmaError {
    /** No error. */
    public static final int OK = 0;
    /** {@code RPMA_E_UNKNOWN}: something that the library does not foresee. */
    public static final int E_UNKNOWN = -100_000;
    /** {@code RPMA_E_NOSUPP}: the device, the peer or the memory cannot do this. */
    public static final int E_NOSUPP = -100_001;
    /** {@code RPMA_E_PROVIDER}: libibverbs or librdmacm has failed, which has an error number of its own. */
    public static final int E_PROVIDER = -100_002;
    /** {@code RPMA_E_NOMEM}: out of memory. */
    public static final int E_NOMEM = -100_003;
    /** {@code RPMA_E_INVAL}: a bad argument, or an object that is closed. */
    public static final int E_INVAL = -100_004;
    /** {@code RPMA_E_NO_COMPLETION}: the completion queue is empty, also after a spurious event. */
    public static final int E_NO_COMPLETION = -100_005;
    /** {@code RPMA_E_NO_EVENT}: there is no event now. */
    public static final int E_NO_EVENT = -100_006;
    /** {@code RPMA_E_AGAIN}: a passing error; try again. */
    public static final int E_AGAIN = -100_007;
    /** {@code RPMA_E_SHARED_CHANNEL}: the completion channel is shared, so the connection waits and not a queue. */
    public static final int E_SHARED_CHANNEL = -100_008;
    /** {@code RPMA_E_NOT_SHARED_CHNL}: the completion channel is not shared, so its queue waits. */
    public static final int E_NOT_SHARED_CHANNEL = -100_009;

    private RpmaError() {
    }

    /**
     * Name and number of a result.
     *
     * @param code that a function has returned.
     * @return for example {@code "RPMA_E_PROVIDER -100002"}.
     */
    public static String describe(final int code) {
        return switch (code) {
            case OK -> "OK";
            case E_UNKNOWN -> "RPMA_E_UNKNOWN";
            case E_NOSUPP -> "RPMA_E_NOSUPP";
            case E_PROVIDER -> "RPMA_E_PROVIDER";
            case E_NOMEM -> "RPMA_E_NOMEM";
            case E_INVAL -> "RPMA_E_INVAL";
            case E_NO_COMPLETION -> "RPMA_E_NO_COMPLETION";
            case E_NO_EVENT -> "RPMA_E_NO_EVENT";
            case E_AGAIN -> "RPMA_E_AGAIN";
            case E_SHARED_CHANNEL -> "RPMA_E_SHARED_CHANNEL";
            case E_NOT_SHARED_CHANNEL -> "RPMA_E_NOT_SHARED_CHNL";
            default -> "unnamed";
        } + " " + code;
    }
}
