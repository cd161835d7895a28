package io.sluice.verbs.model;

/**
 * An entry of a completion queue.
 *
 * @param queuePair     whose work it was.
 * @param id            of the work request.
 * @param status        as {@link io.sluice.verbs.WorkStatus}.
 * @param opcode        {@code IBV_WC_}.
 * @param byteLength    that arrived.
 * @param immediate     in network order.
 * @param flags         {@code IBV_WC_}.
 * @param source        number of the sender, of a datagram.
 * @param slot          place in the send queue, or -1 of a receive.
 * @param isSolicited   whether it wakes who waits for such.
 * @param timeNs        when it came.
 */
record Entry(
    ModelQueuePair queuePair,
    long id,
    int status,
    int opcode,
    int byteLength,
    int immediate,
    int flags,
    int source,
    int slot,
    boolean isSolicited,
    long timeNs) {
    static final int NO_SLOT = -1;
}
