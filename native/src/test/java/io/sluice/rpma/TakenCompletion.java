package io.sluice.rpma;

import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;

/**
 * A completion, copied out of its queue.
 *
 * @param workRequestId   wr_id.
 * @param status          status.
 * @param queuePairNumber local queue pair number.
 * @param opcode          what completed, valid on success.
 * @param flags           flags, valid on success.
 * @param byteLength      bytes received, valid on success.
 * @param immediate       immediate data, valid when the flags say so.
 */
record TakenCompletion(
    long workRequestId, int status, int queuePairNumber, int opcode, int flags, int byteLength, int immediate) {

    static TakenCompletion of(final RpmaCompletionQueue queue) {
        return queue.status() == WorkStatus.SUCCESS
            ? new TakenCompletion(queue.workRequestId(), queue.status(), queue.queuePairNumber(), queue.opcode(),
                queue.flags(), queue.byteLength(), hasImmediate(queue.flags()) ? queue.immediateData() : 0)
            : failed(queue.workRequestId(), queue.status(), queue.queuePairNumber());
    }

    static TakenCompletion of(final WorkCompletions completions, final int i) {
        return completions.status(i) == WorkStatus.SUCCESS
            ? new TakenCompletion(completions.workRequestId(i), completions.status(i), completions.queuePairNumber(i),
                completions.opcode(i), completions.flags(i), completions.byteLength(i),
                hasImmediate(completions.flags(i)) ? completions.immediateData(i) : 0)
            : failed(completions.workRequestId(i), completions.status(i), completions.queuePairNumber(i));
    }

    private static TakenCompletion failed(final long workRequestId, final int status, final int queuePairNumber) {
        return new TakenCompletion(workRequestId, status, queuePairNumber, -1, 0, 0, 0);
    }

    private static boolean hasImmediate(final int flags) {
        return (flags & WorkFlags.WITH_IMMEDIATE) != 0;
    }

    boolean hasImmediate() {
        return hasImmediate(flags);
    }

    @Override
    public String toString() {
        return "wr_id=" + workRequestId + " " + WorkStatus.name(status) + " qp=" + queuePairNumber + " opcode="
            + opcode + " flags=" + flags + " bytes=" + byteLength + " imm=" + Integer.toHexString(immediate);
    }
}
