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
    /** The port came up. */
    PORT_ACTIVE,
    /** The port went down. */
    PORT_ERR,
    /** The device is broken. */
    DEVICE_FATAL,
    /** Any other event of the manual page: informative. */
    OTHER
}
