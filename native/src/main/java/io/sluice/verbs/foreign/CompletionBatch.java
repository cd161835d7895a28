package io.sluice.verbs.foreign;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The batch of a completion queue whose native call fills records: a cursor over {@link WorkRecord}s, and the
 * readers of {@link CompletionQueue} for the current one, which refuse what was not asked for or is not valid.
 * Completions that a caller leaves behind come first in the next batch. A queue polls by:
 * <pre>{@code
 * int startPoll() {
 *     batch.checkEnded();
 *     int result = batch.isDrained() ? take() : Errno.OK;    // take: the native call, then batch.fill(taken)
 *     if (result == Errno.OK) {
 *         batch.start();
 *     }
 *     return result;
 * }
 * int nextPoll() {
 *     return batch.next() ? Errno.OK : batch.isShort() ? Errno.ENOENT : take();
 * }
 * void endPoll() {
 *     batch.end();
 * }
 * }</pre>
 * The poller's thread; nothing is allocated.
 */
public final class CompletionBatch {
    /** Completions taken by one call: more gain nothing, and delay what is done with the first. */
    public static final int CAPACITY = 16;

    /** Keeps the records. */
    private final MemorySegment memory = Arena.ofAuto().allocate(CAPACITY * WorkRecord.LENGTH, Long.BYTES);
    private final long address = memory.address();
    private final long lastOfAll = address + (CAPACITY - 1) * WorkRecord.LENGTH;
    private final int fields;
    /** Address of the current record, 0 outside a batch: readers ask for no more than this. */
    private long current;
    /** Address of the record that the next batch starts with, behind the last one when it is drained. */
    private long first = address;
    /** Address of the last record that is filled, before the first one when none is. */
    private long last = address - WorkRecord.LENGTH;

    /**
     * Create the batch of a queue.
     *
     * @param fields {@link CompletionField} bits that it was asked for, of {@link WorkRecord#FIELDS}.
     */
    public CompletionBatch(final int fields) {
        this.fields = fields;
    }

    /**
     * The address where the native call writes {@link #CAPACITY} records at most.
     *
     * @return address, good as long as this object is reachable.
     */
    public long address() {
        return address;
    }

    /**
     * Checks, before a batch starts, that none is under way.
     *
     * @throws IllegalStateException when one has.
     */
    public void checkEnded() {
        if (current != 0) {
            throw CompletionQueue.batchNotEnded();
        }
    }

    /**
     * Whether the batch before has left nothing behind, so that the records must be filled before one starts.
     *
     * @return false when there is something to start with.
     */
    public boolean isDrained() {
        return first > last;
    }

    /**
     * Notes that the records are filled anew; within a batch the first of them is current now.
     *
     * @param taken completions that the native call has written, 1 to {@link #CAPACITY}.
     */
    public void fill(final int taken) {
        first = address;
        last = address + (taken - 1) * WorkRecord.LENGTH;
        if (current != 0) {
            current = address;
        }
    }

    /** Start a batch at what is there. */
    public void start() {
        current = first;
    }

    /**
     * Make the next completion current that is there.
     *
     * @return false when there is none: the last one stays current.
     * @throws IllegalStateException outside a batch.
     */
    public boolean next() {
        final long record = current("nextPoll");
        if (record >= last) {
            return false;
        }
        current = record + WorkRecord.LENGTH;
        return true;
    }

    /**
     * Whether the native call wrote fewer completions than it could: that was all that there was.
     *
     * @return whether it need not be asked again in this batch.
     */
    public boolean isShort() {
        return last < lastOfAll;
    }

    /**
     * End the batch; the current completion is gone.
     *
     * @throws IllegalStateException outside a batch.
     */
    public void end() {
        first = current("endPoll") + WorkRecord.LENGTH;
        current = 0;
    }

    /** Address of the current record. None is current before the first batch and between two, where this throws. */
    private long current(final String call) {
        final long record = current;
        if (record == 0) {
            throw CompletionQueue.outsideBatch(call);
        }
        return record;
    }

    private void checkAskedFor(final int field, final String reader) {
        if ((fields & field) != field) {
            throw CompletionQueue.notAskedFor(reader);
        }
    }

    /** The current record, for a field that is there only when it was asked for, and only on success. */
    private long valid(final int field, final String reader) {
        checkAskedFor(field, reader);
        return WorkRecord.valid(current(reader), reader);
    }

    /**
     * The answer to {@link CompletionQueue#workRequestId()}.
     *
     * @return of the current completion.
     */
    public long workRequestId() {
        return WorkRecord.workRequestId(current("workRequestId"));
    }

    /**
     * The answer to {@link CompletionQueue#status()}.
     *
     * @return of the current completion.
     */
    public int status() {
        return WorkRecord.status(current("status"));
    }

    /**
     * The answer to {@link CompletionQueue#opcode()}.
     *
     * @return of the current completion.
     */
    public int opcode() {
        return WorkRecord.opcode(valid(0, "opcode"));
    }

    /**
     * The answer to {@link CompletionQueue#vendorError()}.
     *
     * @return of the current completion.
     */
    public int vendorError() {
        return WorkRecord.vendorError(current("vendorError"));
    }

    /**
     * The answer to {@link CompletionQueue#flags()}.
     *
     * @return of the current completion.
     */
    public int flags() {
        return WorkRecord.flags(valid(0, "flags"));
    }

    /**
     * The answer to {@link CompletionQueue#byteLength()}.
     *
     * @return of the current completion.
     */
    public int byteLength() {
        return WorkRecord.byteLength(valid(CompletionField.BYTE_LENGTH, "byteLength"));
    }

    /**
     * The answer to {@link CompletionQueue#immediateData()}.
     *
     * @return of the current completion.
     */
    public int immediateData() {
        return WorkRecord.immediateData(valid(CompletionField.IMMEDIATE, "immediateData"));
    }

    /**
     * The answer to {@link CompletionQueue#invalidatedKey()}.
     *
     * @return of the current completion.
     */
    public int invalidatedKey() {
        return WorkRecord.invalidatedKey(valid(CompletionField.IMMEDIATE, "invalidatedKey"));
    }

    /**
     * The queue pair's number for the provider itself, whether a program asked for it or not.
     *
     * @return number of the current completion's queue pair.
     */
    public int ledgerQueuePairNumber() {
        return WorkRecord.queuePairNumber(current("queuePairNumber"));
    }

    /**
     * The answer to {@link CompletionQueue#queuePairNumber()}.
     *
     * @return of the current completion.
     */
    public int queuePairNumber() {
        checkAskedFor(CompletionField.QUEUE_PAIR_NUMBER, "queuePairNumber");
        return WorkRecord.queuePairNumber(current("queuePairNumber"));
    }

    /**
     * The answer to {@link CompletionQueue#sourceQueuePair()}.
     *
     * @return of the current completion.
     */
    public int sourceQueuePair() {
        return WorkRecord.sourceQueuePair(valid(CompletionField.SOURCE_QUEUE_PAIR, "sourceQueuePair"));
    }

    /**
     * The answer to {@link CompletionQueue#sourceLid()}.
     *
     * @return of the current completion.
     */
    public int sourceLid() {
        return WorkRecord.sourceLid(valid(CompletionField.SOURCE_LID, "sourceLid"));
    }

    /**
     * The answer to {@link CompletionQueue#serviceLevel()}.
     *
     * @return of the current completion.
     */
    public int serviceLevel() {
        return WorkRecord.serviceLevel(valid(CompletionField.SERVICE_LEVEL, "serviceLevel"));
    }

    /**
     * The answer to {@link CompletionQueue#destinationPathBits()}.
     *
     * @return of the current completion.
     */
    public int destinationPathBits() {
        return WorkRecord.destinationPathBits(
            valid(CompletionField.DESTINATION_PATH_BITS, "destinationPathBits"));
    }

    /**
     * The answer to {@link CompletionQueue#partitionKeyIndex()}.
     *
     * @return of the current completion.
     */
    public int partitionKeyIndex() {
        return WorkRecord.partitionKeyIndex(valid(0, "partitionKeyIndex"));
    }
}
