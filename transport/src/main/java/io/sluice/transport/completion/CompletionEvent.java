package io.sluice.transport.completion;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;

/**
 * A slot of a ring with a copy of one work completion, ibv_poll_cq(3). A {@link CompletionPoller} fills it; consumers
 * read it while the ring shows it to them, and keep none: the slot is used again. Of a completion that has failed only
 * {@link #workRequestId()}, {@link #status()}, {@link #queuePairNumber()} and {@link #vendorError()} tell something,
 * and so does what its queue was not asked for: everything else is 0.
 */
public final class CompletionEvent {
    private long workRequestId;
    private int status;
    private int opcode;
    private int flags;
    private int byteLength;
    private int immediateData;
    private int invalidatedKey;
    private int queuePairNumber;
    private int vendorError;

    /** Creates an empty slot, for the factory of a ring. */
    public CompletionEvent() {
        // filled by a poller before anybody reads it
    }

    /**
     * Copies the current completion.
     *
     * @param queue  within a batch.
     * @param fields {@link CompletionField} bits that the queue was asked for.
     */
    void set(final CompletionQueue queue, final int fields) {
        workRequestId = queue.workRequestId();
        status = queue.status();
        queuePairNumber = (fields & CompletionField.QUEUE_PAIR_NUMBER) == 0 ? 0 : queue.queuePairNumber();
        if (status == WorkStatus.SUCCESS) {
            vendorError = 0;
            opcode = queue.opcode();
            flags = queue.flags();
            byteLength = (fields & CompletionField.BYTE_LENGTH) == 0 ? 0 : queue.byteLength();
            final int valid = (fields & CompletionField.IMMEDIATE) == 0 ? 0 : flags;
            immediateData = (valid & WorkFlags.WITH_IMMEDIATE) == 0 ? 0 : queue.immediateData();
            invalidatedKey = (valid & WorkFlags.WITH_INVALIDATED_KEY) == 0 ? 0 : queue.invalidatedKey();
        } else {
            vendorError = queue.vendorError();
            opcode = 0;
            flags = 0;
            byteLength = 0;
            immediateData = 0;
            invalidatedKey = 0;
        }
    }

    /**
     * The id given when the work request was posted.
     *
     * @return {@code wr_id}.
     */
    public long workRequestId() {
        return workRequestId;
    }

    /**
     * The status that the work request ended with.
     *
     * @return a {@link WorkStatus} value.
     */
    public int status() {
        return status;
    }

    /**
     * Whether the work request was done, so that all fields have a meaning.
     *
     * @return whether the status is {@link WorkStatus#SUCCESS}.
     */
    public boolean isSuccess() {
        return status == WorkStatus.SUCCESS;
    }

    /**
     * The operation that completed.
     *
     * @return a {@link io.sluice.verbs.WorkOpcode} value; 0, which is that of a SEND, when it has failed.
     */
    public int opcode() {
        return opcode;
    }

    /**
     * The flags that come with the completion.
     *
     * @return {@link WorkFlags} bits of a completion; 0 when it has failed.
     */
    public int flags() {
        return flags;
    }

    /**
     * Bytes that came in: a message, or what a READ or an atomic has fetched.
     *
     * @return length in bytes; means nothing for a SEND or a WRITE of this side, and is 0 when it has failed.
     */
    public int byteLength() {
        return byteLength;
    }

    /**
     * Immediate data, when {@link #flags()} has {@link WorkFlags#WITH_IMMEDIATE}.
     *
     * @return 32 bits in this host's byte order; else 0.
     */
    public int immediateData() {
        return immediateData;
    }

    /**
     * The key of this side that the peer's SEND WITH INVALIDATE has invalidated, when {@link #flags()} has {@link
     * WorkFlags#WITH_INVALIDATED_KEY}.
     *
     * @return an rkey; else 0.
     */
    public int invalidatedKey() {
        return invalidatedKey;
    }

    /**
     * Number of the queue pair that the work request was posted to.
     *
     * @return the local queue pair number, also when it has failed; 0 when the queue was not asked for it.
     */
    public int queuePairNumber() {
        return queuePairNumber;
    }

    /**
     * The device's own word for an error.
     *
     * @return vendor-specific number; 0 when it has not failed.
     */
    public int vendorError() {
        return vendorError;
    }

    @Override
    public String toString() {
        return "CompletionEvent{workRequestId=" + workRequestId + " status=" + WorkStatus.name(status)
            + " queuePairNumber=" + queuePairNumber + " opcode=" + opcode + " byteLength=" + byteLength
            + " vendorError=" + vendorError + "}";
    }
}
