package io.sluice.verbs.foreign;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.agrona.UnsafeApi;

/**
 * An array of {@code ibv_wc} records (ibv_poll_cq(3)) outside the heap, which a native call fills and whose fields are
 * loads from there. Of a completion that has failed only {@link #workRequestId}, {@link #status},
 * {@link #queuePairNumber} and {@link #vendorError} are valid. A record that was never filled is all zero. One thread
 * at a time; reading allocates nothing.
 */
public final class WorkCompletions {
    /** The {@link CompletionField} bits that a record has. */
    public static final int FIELDS = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE
        | CompletionField.QUEUE_PAIR_NUMBER | CompletionField.SOURCE_QUEUE_PAIR | CompletionField.SOURCE_LID
        | CompletionField.SERVICE_LEVEL | CompletionField.DESTINATION_PATH_BITS;

    static final long RECORD_LENGTH = ibv_wc.layout().byteSize();
    private static final long WR_ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final long OPCODE = ibv_wc.opcode$offset();
    private static final long VENDOR_ERR = ibv_wc.vendor_err$offset();
    private static final long BYTE_LEN = ibv_wc.byte_len$offset();
    private static final long IMM_DATA = ibv_wc.imm_data$offset();
    private static final long QP_NUM = ibv_wc.qp_num$offset();
    private static final long SRC_QP = ibv_wc.src_qp$offset();
    private static final long WC_FLAGS = ibv_wc.wc_flags$offset();
    private static final long PKEY_INDEX = ibv_wc.pkey_index$offset();
    private static final long SLID = ibv_wc.slid$offset();
    private static final long SL = ibv_wc.sl$offset();
    private static final long DLID_PATH_BITS = ibv_wc.dlid_path_bits$offset();

    /** Keeps the records. */
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
        memory = Arena.ofAuto().allocate(capacity * RECORD_LENGTH, Long.BYTES);
        address = memory.address();
    }

    /**
     * Where the first record is, for the call that fills them; the others follow without gaps.
     *
     * @return address, good as long as this object is reachable.
     */
    public long address() {
        return address;
    }

    /**
     * Records that there are.
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
        return workRequestIdAt(record(index));
    }

    /**
     * How the work request ended.
     *
     * @param index of the record.
     * @return a {@link WorkStatus} value.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public int status(final int index) {
        return statusAt(record(index));
    }

    /**
     * The device's own word for an error.
     *
     * @param index of the record.
     * @return vendor-specific number.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public int vendorError(final int index) {
        return vendorErrorAt(record(index));
    }

    /**
     * Number of the queue pair that the work request was posted to.
     *
     * @param index of the record.
     * @return the local queue pair number.
     * @throws IndexOutOfBoundsException when there is no such record.
     */
    public int queuePairNumber(final int index) {
        return queuePairNumberAt(record(index));
    }

    /**
     * What completed.
     *
     * @param index of the record.
     * @return a {@link io.sluice.verbs.WorkOpcode} value.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int opcode(final int index) {
        return opcodeAt(valid(record(index), "opcode"));
    }

    /**
     * Which fields are valid.
     *
     * @param index of the record.
     * @return {@link io.sluice.verbs.WorkFlags} bits of a completion.
     * @throws IndexOutOfBoundsException when there is no such record.
     * @throws IllegalStateException     when the completion has failed.
     */
    public int flags(final int index) {
        return flagsAt(valid(record(index), "flags"));
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
        return byteLengthAt(valid(record(index), "byteLength"));
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
        return immediateDataAt(valid(record(index), "immediateData"));
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
        return invalidatedKeyAt(valid(record(index), "invalidatedKey"));
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
        return sourceQueuePairAt(valid(record(index), "sourceQueuePair"));
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
        return partitionKeyIndexAt(valid(record(index), "partitionKeyIndex"));
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
        return sourceLidAt(valid(record(index), "sourceLid"));
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
        return serviceLevelAt(valid(record(index), "serviceLevel"));
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
        return destinationPathBitsAt(valid(record(index), "destinationPathBits"));
    }

    private long record(final int index) {
        return address + Objects.checkIndex(index, capacity) * RECORD_LENGTH;
    }

    /** The address of a record, for a field that is there only on success. */
    static long valid(final long record, final String field) {
        final int status = statusAt(record);
        if (status != WorkStatus.SUCCESS) {
            throw CompletionQueue.notValid(field, status);
        }
        return record;
    }

    static long workRequestIdAt(final long record) {
        return UnsafeApi.getLong(record + WR_ID);
    }

    static int statusAt(final long record) {
        return UnsafeApi.getInt(record + STATUS);
    }

    static int vendorErrorAt(final long record) {
        return UnsafeApi.getInt(record + VENDOR_ERR);
    }

    static int queuePairNumberAt(final long record) {
        return UnsafeApi.getInt(record + QP_NUM);
    }

    static int opcodeAt(final long record) {
        return UnsafeApi.getInt(record + OPCODE);
    }

    static int flagsAt(final long record) {
        return UnsafeApi.getInt(record + WC_FLAGS);
    }

    static int byteLengthAt(final long record) {
        return UnsafeApi.getInt(record + BYTE_LEN);
    }

    static int immediateDataAt(final long record) {
        return NetworkOrder.toHost(UnsafeApi.getInt(record + IMM_DATA));
    }

    /** Takes the place of immediate data, in this host's byte order. */
    static int invalidatedKeyAt(final long record) {
        return UnsafeApi.getInt(record + IMM_DATA);
    }

    static int sourceQueuePairAt(final long record) {
        return UnsafeApi.getInt(record + SRC_QP);
    }

    static int partitionKeyIndexAt(final long record) {
        return Short.toUnsignedInt(UnsafeApi.getShort(record + PKEY_INDEX));
    }

    static int sourceLidAt(final long record) {
        return Short.toUnsignedInt(UnsafeApi.getShort(record + SLID));
    }

    static int serviceLevelAt(final long record) {
        return Byte.toUnsignedInt(UnsafeApi.getByte(record + SL));
    }

    static int destinationPathBitsAt(final long record) {
        return Byte.toUnsignedInt(UnsafeApi.getByte(record + DLID_PATH_BITS));
    }
}
