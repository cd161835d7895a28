package io.sluice.verbs;

/**
 * Asynchronous events of a device (ibv_get_async_event(3)).
 */
public enum AsyncEventType {
    /** A completion queue overran or is broken: it and every queue pair on it are dead. */
    CQ_ERR,
    /** A queue pair failed and moved to the error state. */
    QP_FATAL,
    /** A queue pair received an invalid request. */
    QP_REQ_ERR,
    /** A queue pair received a request that violates access rights. */
    QP_ACCESS_ERR,
    /** A queue pair received its first message before it was ready to send. */
    COMM_EST,
    /** The send queue is drained. */
    SQ_DRAINED,
    /** The last work request was taken from a shared receive queue. */
    QP_LAST_WQE_REACHED,
    /** A shared receive queue's limit was reached. */
    SRQ_LIMIT_REACHED,
    /** A shared receive queue failed. */
    SRQ_ERR,
    /** A connection has moved to its alternate path. */
    PATH_MIG,
    /** A connection could not move to its alternate path. */
    PATH_MIG_ERR,
    /** A work queue failed. */
    WQ_FATAL,
    /** The port came up. */
    PORT_ACTIVE,
    /** The port went down. */
    PORT_ERR,
    /** The port's local identifier changed. */
    LID_CHANGE,
    /** The port's table of partition keys changed. */
    PKEY_CHANGE,
    /** The subnet manager of the port changed. */
    SM_CHANGE,
    /** The subnet manager asks that the port's clients register again. */
    CLIENT_REREGISTER,
    /** The port's table of GIDs changed. */
    GID_CHANGE,
    /** The device is broken: see {@link RdmaDevice#release()}. */
    DEVICE_FATAL,
    /**
     * The device is being taken away, as the connection manager says ({@code RDMA_CM_EVENT_DEVICE_REMOVAL}) or the
     * kernel's list of devices: see {@link RdmaDevice#release()}.
     */
    DEVICE_REMOVED,
    /** Any other event: informative. */
    OTHER;

    /**
     * Whether an event concerns a port, and its number is told
     * ({@link AsyncEventHandler#onPortEvent(AsyncEventType, int)}).
     *
     * @return true for the events of ports in ibv_get_async_event(3).
     */
    public boolean isOfPort() {
        return switch (this) {
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE -> true;
            default -> false;
        };
    }
}
