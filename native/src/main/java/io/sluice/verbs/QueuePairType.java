package io.sluice.verbs;

/**
 * Transport service of a queue pair ({@code enum ibv_qp_type}, ibv_create_qp(3)). Any thread.
 */
public enum QueuePairType {
    /** Connected to one peer; what is sent arrives once and in order, or the queue pair fails ({@code IBV_QPT_RC}). */
    RELIABLE_CONNECTED,
    /**
     * Sends messages of one packet each to any queue pair of this type; they may be lost, and who sends is not told
     * ({@code IBV_QPT_UD}).
     */
    UNRELIABLE_DATAGRAM
}
