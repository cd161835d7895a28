package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;

/** The reasons of rejections by the connection manager, {@code IB_CM_REJ_} of the kernel's ib_cm.h. Stateless. */
final class RejectReason {
    /** No process listens. */
    static final int INVALID_SERVICE_ID = 8;
    /** The application has called rdma_reject, or the kernel for one that has closed its listener or died. */
    static final int CONSUMER_DEFINED = 28;

    private static final String NO_NAME = "-";
    /** The names of the reasons by their codes, from 0 on. */
    private static final String[] NAMES = """
        - NO_QP NO_EEC NO_RESOURCES TIMEOUT UNSUPPORTED INVALID_COMM_ID INVALID_COMM_INSTANCE INVALID_SERVICE_ID
        INVALID_TRANSPORT_TYPE STALE_CONN RDC_NOT_EXIST INVALID_GID INVALID_LID INVALID_SL INVALID_TRAFFIC_CLASS
        INVALID_HOP_LIMIT INVALID_PACKET_RATE INVALID_ALT_GID INVALID_ALT_LID INVALID_ALT_SL INVALID_ALT_TRAFFIC_CLASS
        INVALID_ALT_HOP_LIMIT INVALID_ALT_PACKET_RATE PORT_CM_REDIRECT PORT_REDIRECT INVALID_MTU
        INSUFFICIENT_RESP_RESOURCES CONSUMER_DEFINED INVALID_RNR_RETRY DUPLICATE_LOCAL_COMM_ID INVALID_CLASS_VERSION
        INVALID_FLOW_LABEL INVALID_ALT_FLOW_LABEL - VENDOR_OPTION_NOT_SUPPORTED""".split("\\s+");

    private RejectReason() {
    }

    /**
     * Number and name of a rejection's status.
     *
     * @param status of the event: a reason, or a negative error number, as iWARP tells it.
     * @return for example {@code "reason 12 INVALID_GID"}.
     */
    static String describe(final int status) {
        if (status < 0) {
            return "error " + Errno.describe(-status);
        }
        return "reason " + status + " "
            + (status >= NAMES.length || NAMES[status].equals(NO_NAME) ? "unnamed" : NAMES[status]);
    }
}
