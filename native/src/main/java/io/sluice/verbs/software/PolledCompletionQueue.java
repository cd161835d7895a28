package io.sluice.verbs.software;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.WorkStatus;

/**
 * Data path of a completion queue: the completion that its poller is at, which its sources put here, and the readers
 * that tell it. One thread at a time polls.
 */
abstract class PolledCompletionQueue extends CompletionQueue {
    private static final int STATUS_MASK = 0xff;
    /**
     * The bit that is set in {@link #readable}, and no bit of {@link CompletionField}: opcode and flags, of a success.
     */
    private static final int ALWAYS = 1 << 31;

    private final int fields;
    private boolean isInBatch;
    /** {@link CompletionField} bits of the current completion that can be read, and {@link #ALWAYS}; 0 outside. */
    private int readable;
    /** Id of the thread that is within a batch, 0 when none is; a thread that reads its own has written it last. */
    private long poller;
    private long currentNumbers;
    private long currentWorkRequestId;
    private int currentVerdict;
    private long currentBody;

    PolledCompletionQueue(final Object context, final int fields) {
        super(context);
        this.fields = fields;
    }

    abstract boolean isClosed();

    /** Whether the queue can be polled: neither closed nor overrun. */
    abstract boolean isAlive();

    final boolean isInBatch() {
        return isInBatch;
    }

    /** Poller: notes that a batch has begun, or that there was nothing to begin one with. */
    final void beginBatch(final boolean hasBegun) {
        isInBatch = hasBegun;
        poller = hasBegun ? Thread.currentThread().threadId() : 0;
    }

    @Override
    public void endPoll() {
        checkInBatch("endPoll");
        isInBatch = false;
        readable = 0;
        poller = 0;
    }

    /** Refuses what RDMA devices wait for a batch's end with, for their poller to find out here. */
    final void checkNotInBatch(final String what) {
        if (poller == Thread.currentThread().threadId()) {
            throw new IllegalStateException(what + " within a batch: endPoll has not been called");
        }
    }

    /** Poller: sets what the readers tell from now on. */
    final void current(final long numbers, final long workRequestId, final int verdict, final long body) {
        currentNumbers = numbers;
        currentWorkRequestId = workRequestId;
        currentVerdict = verdict;
        currentBody = body;
        readable = (verdict & STATUS_MASK) == WorkStatus.SUCCESS
            ? fields | ALWAYS : fields & CompletionField.QUEUE_PAIR_NUMBER;
    }

    final void checkInBatch(final String reader) {
        if (!isInBatch) {
            throw outsideBatch(reader);
        }
    }

    private void checkReadable(final int field, final String reader) {
        if ((readable & field) == 0) {
            throw unreadable(field, reader);
        }
    }

    private IllegalStateException unreadable(final int field, final String reader) {
        if ((field & (fields | ALWAYS)) == 0) {
            return notAskedFor(reader);
        }
        return isInBatch
            ? notValid(reader, currentVerdict & STATUS_MASK) : outsideBatch(reader);
    }

    @Override
    public long workRequestId() {
        checkInBatch("workRequestId");
        return currentWorkRequestId;
    }

    @Override
    public int status() {
        checkInBatch("status");
        return currentVerdict & STATUS_MASK;
    }

    @Override
    public int opcode() {
        checkReadable(ALWAYS, "opcode");
        return currentVerdict >>> 8 & 0xff;
    }

    @Override
    public int vendorError() {
        checkInBatch("vendorError");
        return 0;
    }

    @Override
    public int flags() {
        checkReadable(ALWAYS, "flags");
        return currentVerdict >>> 16;
    }

    @Override
    public int byteLength() {
        checkReadable(CompletionField.BYTE_LENGTH, "byteLength");
        return QueuePairLayout.byteLength(currentBody);
    }

    @Override
    public int immediateData() {
        checkReadable(CompletionField.IMMEDIATE, "immediateData");
        return QueuePairLayout.immediate(currentBody);
    }

    /** Answers 0: software devices have no SEND WITH INVALIDATE, so that no flag ever says that a key is valid. */
    @Override
    public int invalidatedKey() {
        checkReadable(CompletionField.IMMEDIATE, "invalidatedKey");
        return 0;
    }

    @Override
    public int queuePairNumber() {
        checkReadable(CompletionField.QUEUE_PAIR_NUMBER, "queuePairNumber");
        return (int) (currentNumbers >>> 32);
    }

    @Override
    public int sourceQueuePair() {
        checkReadable(CompletionField.SOURCE_QUEUE_PAIR, "sourceQueuePair");
        return (int) currentNumbers;
    }

    @Override
    public int fields() {
        return fields;
    }
}
