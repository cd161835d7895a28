package io.sluice.verbs;

/**
 * States of a queue pair (ibv_modify_qp(3)).
 */
public enum QueuePairState {
    /** Fresh: nothing can be posted. */
    RESET,
    /** Receives can be posted. */
    INIT,
    /** Incoming work is processed. */
    READY_TO_RECEIVE,
    /** Outgoing work is processed too. */
    READY_TO_SEND,
    /** Failed: everything outstanding and everything posted completes with {@link WorkStatus#WR_FLUSH_ERR}. */
    ERROR
}
