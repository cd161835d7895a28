package io.sluice.transport.simulation;

import io.sluice.verbs.WorkStatus;

/** The things that go wrong, or at least happen, while links are in some state. */
enum Fault {
    RETRIES_EXCEEDED(WorkStatus.RETRY_EXC_ERR),
    RECEIVER_NOT_READY(WorkStatus.RNR_RETRY_EXC_ERR),
    REMOTE_ACCESS_ERROR(WorkStatus.REM_ACCESS_ERR),
    REMOTE_OPERATION_ERROR(WorkStatus.REM_OP_ERR),
    REMOTE_INVALID_REQUEST(WorkStatus.REM_INV_REQ_ERR),
    LOCAL_LENGTH_ERROR(WorkStatus.LOC_LEN_ERR),
    LOCAL_QUEUE_PAIR_ERROR(WorkStatus.LOC_QP_OP_ERR),
    LOCAL_PROTECTION_ERROR(WorkStatus.LOC_PROT_ERR),
    FLUSHED(WorkStatus.WR_FLUSH_ERR),
    BAD_RESPONSE(WorkStatus.BAD_RESP_ERR),
    RESPONSE_TIMEOUT(WorkStatus.RESP_TIMEOUT_ERR),
    FATAL_ERROR(WorkStatus.FATAL_ERR),
    GENERAL_ERROR(WorkStatus.GENERAL_ERR),
    /** The operation never arrives: it is held until its retries are exhausted, and then fails. */
    OPERATION_DROPPED,
    /** An operation is held until it is tried again. */
    OPERATION_DEFERRED,
    /** An operation is held for a time, with everything behind it. */
    OPERATION_DELAYED,
    /** A send of the control connection fails. */
    CONTROL_FAILED,
    /** Everything that a process sends is held; then it goes on. */
    LINK_DOWN,
    /** Everything that a process sends is held; then it fails. */
    LINK_DOWN_LONG,
    /** A thread does not run for a while. */
    THREAD_PAUSED,
    /** A thread does not run for longer than others wait for its process. */
    THREAD_PAUSED_LONG,
    /** A process does not run for a while. */
    PROCESS_STOPPED,
    /** A process does not run for longer than others wait for it. */
    PROCESS_STOPPED_LONG,
    /** The clock moves on, and nobody has run meanwhile. */
    CLOCK_JUMPED,
    /** The clock moves on so by more than anybody waits for anybody. */
    CLOCK_JUMPED_LONG,
    /** More completions come to a queue than it has room for. */
    COMPLETION_QUEUE_OVERRUN,
    /** A consumer that was too slow is taken out, with those that wait for it. */
    CONSUMER_EVICTED,
    PROCESS_DIED,
    SUBSCRIPTION_ADDED,
    SUBSCRIPTION_CLOSED,
    PUBLICATION_CLOSED;

    /** The status of a kind that no operation fails with. */
    private static final int NO_STATUS = 0;

    private final int status;

    Fault() {
        this(NO_STATUS);
    }

    Fault(final int status) {
        this.status = status;
    }

    /** The status that an operation fails with. */
    int status() {
        return status;
    }

    boolean isStatus() {
        return status != NO_STATUS;
    }

    /** Whether the fault strikes one operation of a link, and not whoever runs. */
    boolean isOfOperation() {
        return isStatus() || this == OPERATION_DROPPED || this == OPERATION_DEFERRED || this == OPERATION_DELAYED;
    }
}
