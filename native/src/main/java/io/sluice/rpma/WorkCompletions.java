package io.sluice.rpma;

import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.WorkRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An array of {@code ibv_wc} records (ibv_poll_cq(3)) outside the heap, which an {@link RpmaCompletionQueue} fills, and
 * whose fields are loads from there. Of a completion that has failed only {@link #workRequestId}, {@link #status},
 * {@link #queuePairNumber} and {@link #vendorError} are valid. A record that was never filled is all zero. One thread
 * at a time; reading allocates nothing.
 */
public final class WorkCompletions {
    /** The {@link io.sluice.verbs.CompletionField} bits that a record has. */
    public static final int FIELDS = WorkRecord.FIELDS;

    /** The memory of the records, kept from being freed. */
    private final MemorySegment memory;
    private final long address;
    private final int capacity;

    /**
     * Allocate the records, which live as long as this object is reachable.
     *
     * @param capacity records, at least 1.
     * @throws IllegalArgumentException when it is less.
     */
    public WorkCompletions(final int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity=" + capacity + " is less than 1");
        }
        this.capacity = capacity;
        memory = Arena.ofAuto().allocate(capacity * WorkRecord.LENGTH, Long.BYTES);
        address = memory.address();
    }

    /** The address of the first record, for the call that fills them, as long as this object is reachable. */
    long address() {
        return address;
    }

    /**
     * The number of records.
     *
     * @return at least 1.
     */
    public int capacity() {
        return capacity;
    }

    /**
     * The id given when the work request was posted.
     *
     * @param index of the record.
     * @return {@code wr_id}.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public long workRequestId(final int index) {
        return WorkRecord.workRequestId(record(index));
    }

    /**
     * The status that the work request ended with.
     *
     * @param index of the record.
     * @return a {@link WorkStatus} value.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public int status(final int index) {
        return WorkRecord.status(record(index));
    }

    /**
     * The device's own word for an error.
     *
     * @param index of the record.
     * @return vendor-specific number.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public int vendorError(final int index) {
        return WorkRecord.vendorError(record(index));
    }

    /**
     * Number of the queue pair that the work request was posted to.
     *
     * @param index of the record.
     * @return the local queue pair number.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public int queuePairNumber(final int index) {
        return WorkRecord.queuePairNumber(record(index));
    }

    /**
     * The operation that completed.
     *
     * @param index of the record.
     * @return a {@link io.sluice.verbs.WorkOpcode} value.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int opcode(final int index) {
        return WorkRecord.opcode(WorkRecord.valid(record(index), "opcode"));
    }

    /**
     * The flags that tell which fields are valid.
     *
     * @param index of the record.
     * @return {@link io.sluice.verbs.WorkFlags} bits of a completion.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int flags(final int index) {
        return WorkRecord.flags(WorkRecord.valid(record(index), "flags"));
    }

    /**
     * Bytes that came in: a message, or what a READ or an atomic has fetched.
     *
     * @param index of the record.
     * @return length in bytes; means nothing for a SEND or a WRITE of this side.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int byteLength(final int index) {
        return WorkRecord.byteLength(WorkRecord.valid(record(index), "byteLength"));
    }

    /**
     * Immediate data, there when {@link #flags} has {@link io.sluice.verbs.WorkFlags#WITH_IMMEDIATE}.
     *
     * @param index of the record.
     * @return 32 bits in this host's byte order.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int immediateData(final int index) {
        return WorkRecord.immediateData(WorkRecord.valid(record(index), "immediateData"));
    }

    /**
     * The key of this side that the peer's SEND WITH INVALIDATE has invalidated, there when {@link #flags} has
     * {@link io.sluice.verbs.WorkFlags#WITH_INVALIDATED_KEY}.
     *
     * @param index of the record.
     * @return an rkey.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int invalidatedKey(final int index) {
        return WorkRecord.invalidatedKey(WorkRecord.valid(record(index), "invalidatedKey"));
    }

    /**
     * Number of the peer's queue pair, of a datagram.
     *
     * @param index of the record.
     * @return the remote queue pair number.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int sourceQueuePair(final int index) {
        return WorkRecord.sourceQueuePair(WorkRecord.valid(record(index), "sourceQueuePair"));
    }

    /**
     * Index of the partition key that a datagram came by, on queue pair 1.
     *
     * @param index of the record.
     * @return 16 bits.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int partitionKeyIndex(final int index) {
        return WorkRecord.partitionKeyIndex(WorkRecord.valid(record(index), "partitionKeyIndex"));
    }

    /**
     * The peer's local identifier, on InfiniBand.
     *
     * @param index of the record.
     * @return 16 bits.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int sourceLid(final int index) {
        return WorkRecord.sourceLid(WorkRecord.valid(record(index), "sourceLid"));
    }

    /**
     * The service level that the message came by.
     *
     * @param index of the record.
     * @return 4 bits.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int serviceLevel(final int index) {
        return WorkRecord.serviceLevel(WorkRecord.valid(record(index), "serviceLevel"));
    }

    /**
     * The path bits of this side's local identifier that the message came to; not of multicast.
     *
     * @param index of the record.
     * @return 7 bits.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int destinationPathBits(final int index) {
        return WorkRecord.destinationPathBits(WorkRecord.valid(record(index), "destinationPathBits"));
    }

    private long record(final int index) {
        return address + Objects.checkIndex(index, capacity) * WorkRecord.LENGTH;
    }
}
