package io.sluice.transport.peer;

import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;

/**
 * Takes the completions of a control connection's receives from their queue, a batch to its end, and hands them out one
 * at a time: readers of messages may do anything between two of them. Conductor only; the queue is its owner's, the
 * {@link ControlConnection}.
 * <pre>
 *   empty ──hasNext: some have completed──→ at hand ──next, as often as some were taken──→ empty
 *     └──a receive has failed──→ failed, when those before it are handed out
 * </pre>
 */
final class ArrivedMessages {
    private final CompletionQueue completions;
    /** Receives that were taken from the queue, at most as many as are posted. */
    private final int[] slots;
    private final int[] lengths;
    private int taken;
    /** The number of those taken that were handed out. */
    private int handedOut;
    /** The status of the receive that was taken last: after one that has failed none is taken. */
    private int status = WorkStatus.SUCCESS;

    /**
     * Creates an empty batch.
     *
     * @param completions of the receives.
     * @param depth       receives posted at most.
     */
    ArrivedMessages(final CompletionQueue completions, final int depth) {
        this.completions = completions;
        slots = new int[depth];
        lengths = new int[depth];
    }

    /**
     * {@return whether a message is at hand} Polls only when all that was taken before is handed out: a reader that
     * ends the session leaves the rest, which a later call finds.
     */
    boolean hasNext() {
        if (handedOut == taken && status == WorkStatus.SUCCESS && completions.startPoll() == Errno.OK) {
            takeBatch();
        }
        return handedOut < taken;
    }

    /** Takes a batch to its end: readers of messages may do anything, and for their sends another queue is polled. */
    private void takeBatch() {
        handedOut = 0;
        taken = 0;
        do {
            status = completions.status();
            if (status == WorkStatus.SUCCESS) {
                slots[taken] = WorkRequestId.index(completions.workRequestId());
                lengths[taken++] = completions.byteLength();
            }
        } while (status == WorkStatus.SUCCESS && taken < slots.length && completions.nextPoll() == Errno.OK);
        completions.endPoll();
    }

    /** Hands out the message that is at hand; its slot and length are told until the next one is handed out. */
    void next() {
        handedOut++;
    }

    /** {@return the slot of the message handed out last} */
    int slot() {
        return slots[handedOut - 1];
    }

    /** {@return the length of the message handed out last, in bytes, as the device says} */
    int length() {
        return lengths[handedOut - 1];
    }

    /** {@return whether a receive has failed, and all that had arrived before is handed out} */
    boolean hasFailed() {
        return handedOut == taken && status != WorkStatus.SUCCESS;
    }

    /** {@return the status of the receive that was taken last, see {@link WorkStatus}} */
    int status() {
        return status;
    }
}
