package io.sluice.verbs;

/**
 * A completion, copied out of its queue.
 *
 * @param workRequestId  wr_id.
 * @param status         status.
 * @param queuePair      local queue pair number.
 * @param opcode         what completed, valid on success.
 * @param flags          flags, valid on success.
 * @param byteLength     bytes received, valid on success.
 * @param immediate      immediate data, valid when the flags say so.
 * @param source         the peer's queue pair number, valid on success where the queue was asked for it, else 0.
 */
record Completion(
    long workRequestId, int status, int queuePair, int opcode, int flags, int byteLength, int immediate,
    int source) {
    static Completion of(final CompletionQueue queue) {
        if (queue.status() != WorkStatus.SUCCESS) {
            return new Completion(queue.workRequestId(), queue.status(), queue.queuePairNumber(), -1, 0, 0, 0, 0);
        }
        final boolean hasImmediate = (queue.flags() & WorkFlags.WITH_IMMEDIATE) != 0;
        final boolean hasSource = (queue.fields() & CompletionField.SOURCE_QUEUE_PAIR) != 0;
        return new Completion(queue.workRequestId(), queue.status(), queue.queuePairNumber(), queue.opcode(),
            queue.flags(), queue.byteLength(), hasImmediate ? queue.immediateData() : 0,
            hasSource ? queue.sourceQueuePair() : 0);
    }

    boolean isSuccess() {
        return status == WorkStatus.SUCCESS;
    }

    boolean hasImmediate() {
        return (flags & WorkFlags.WITH_IMMEDIATE) != 0;
    }

    @Override
    public String toString() {
        return "wr_id=" + workRequestId + " " + WorkStatus.name(status) + " qp=" + queuePair + " opcode="
            + WorkOpcode.name(opcode)
            + " flags=" + flags + " bytes=" + byteLength + " imm=" + immediate;
    }
}
