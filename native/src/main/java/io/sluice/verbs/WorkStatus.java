package io.sluice.verbs;

/**
 * Status of a work completion, with the values of {@code enum ibv_wc_status} (ibv_poll_cq(3)). On every status but
 * {@link #SUCCESS} only work request id, status, queue pair number and vendor error of the completion are valid.
 */
public final class WorkStatus {
    /** The work request completed. */
    public static final int SUCCESS = 0;
    /** The local buffer does not fit the message. */
    public static final int LOC_LEN_ERR = 1;
    /** The queue pair could not carry the request out. */
    public static final int LOC_QP_OP_ERR = 2;
    /** End-to-end context error. */
    public static final int LOC_EEC_OP_ERR = 3;
    /** The local key does not cover the local buffer. */
    public static final int LOC_PROT_ERR = 4;
    /** The queue pair was in the error state: the request was not carried out. */
    public static final int WR_FLUSH_ERR = 5;
    /** A memory window could not be bound. */
    public static final int MW_BIND_ERR = 6;
    /** The responder answered nonsense. */
    public static final int BAD_RESP_ERR = 7;
    /** The local buffer of an incoming write is protected. */
    public static final int LOC_ACCESS_ERR = 8;
    /** The responder found the request invalid. */
    public static final int REM_INV_REQ_ERR = 9;
    /** The remote key does not cover the remote range, or does not permit the access. */
    public static final int REM_ACCESS_ERR = 10;
    /** The responder could not carry the request out. */
    public static final int REM_OP_ERR = 11;
    /** The peer did not answer within the retry count. */
    public static final int RETRY_EXC_ERR = 12;
    /** The peer had no receive posted within the RNR retry count. */
    public static final int RNR_RETRY_EXC_ERR = 13;
    /** Reliable datagram domain violation, local. */
    public static final int LOC_RDD_VIOL_ERR = 14;
    /** Reliable datagram domain violation, remote. */
    public static final int REM_INV_RD_REQ_ERR = 15;
    /** The responder aborted. */
    public static final int REM_ABORT_ERR = 16;
    /** Invalid end-to-end context number. */
    public static final int INV_EECN_ERR = 17;
    /** Invalid end-to-end context state. */
    public static final int INV_EEC_STATE_ERR = 18;
    /** The device is broken. */
    public static final int FATAL_ERR = 19;
    /** The response timed out. */
    public static final int RESP_TIMEOUT_ERR = 20;
    /** Something else. */
    public static final int GENERAL_ERR = 21;
    /** Tag matching error. */
    public static final int TM_ERR = 22;
    /** Tag matching rendezvous incomplete. */
    public static final int TM_RNDV_INCOMPLETE = 23;

    private static final String[] NAMES = {
        "SUCCESS", "LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_EEC_OP_ERR",
        "LOC_PROT_ERR", "WR_FLUSH_ERR", "MW_BIND_ERR", "BAD_RESP_ERR",
        "LOC_ACCESS_ERR", "REM_INV_REQ_ERR", "REM_ACCESS_ERR", "REM_OP_ERR",
        "RETRY_EXC_ERR", "RNR_RETRY_EXC_ERR", "LOC_RDD_VIOL_ERR", "REM_INV_RD_REQ_ERR",
        "REM_ABORT_ERR", "INV_EECN_ERR", "INV_EEC_STATE_ERR", "FATAL_ERR",
        "RESP_TIMEOUT_ERR", "GENERAL_ERR", "TM_ERR", "TM_RNDV_INCOMPLETE"
    };

    private WorkStatus() {
    }

    /**
     * Name of a status.
     *
     * @param status as a completion reports it; any value.
     * @return the name without {@code IBV_WC_}, or {@code "UNKNOWN(n)"}.
     */
    public static String name(final int status) {
        return status >= 0 && status < NAMES.length ? NAMES[status] : "UNKNOWN(" + status + ")";
    }
}
