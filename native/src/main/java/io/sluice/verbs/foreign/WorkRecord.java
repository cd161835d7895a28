package io.sluice.verbs.foreign;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_wc;
import org.agrona.UnsafeApi;

/**
 * Fields of an {@code ibv_wc} record (ibv_poll_cq(3)), each a load from the record's address, which the caller answers
 * for. Of a completion that has failed only {@link #workRequestId}, {@link #status}, {@link #queuePairNumber} and
 * {@link #vendorError} are valid. Any thread; nothing is allocated.
 */
public final class WorkRecord {
    /** The {@link CompletionField} bits that a record has. */
    public static final int FIELDS = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE
        | CompletionField.QUEUE_PAIR_NUMBER | CompletionField.SOURCE_QUEUE_PAIR | CompletionField.SOURCE_LID
        | CompletionField.SERVICE_LEVEL | CompletionField.DESTINATION_PATH_BITS;

    /** Bytes of a record; in an array they follow without gaps. */
    public static final long LENGTH = ibv_wc.layout().byteSize();
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

    private WorkRecord() {
    }

    /**
     * The address of a record, for a field that is there only on success.
     *
     * @param record address of the record.
     * @param field  that is to be read, for the message.
     * @return the address.
     * @throws IllegalStateException when the completion has failed.
     */
    public static long valid(final long record, final String field) {
        final int status = status(record);
        if (status != WorkStatus.SUCCESS) {
            throw CompletionQueue.notValid(field, status);
        }
        return record;
    }

    /**
     * The id given when the work request was posted.
     *
     * @param record address of the record.
     * @return {@code wr_id}.
     */
    public static long workRequestId(final long record) {
        return UnsafeApi.getLong(record + WR_ID);
    }

    /**
     * The status that the work request ended with.
     *
     * @param record address of the record.
     * @return a {@link WorkStatus} value.
     */
    public static int status(final long record) {
        return UnsafeApi.getInt(record + STATUS);
    }

    /**
     * The device's own word for an error.
     *
     * @param record address of the record.
     * @return vendor-specific number.
     */
    public static int vendorError(final long record) {
        return UnsafeApi.getInt(record + VENDOR_ERR);
    }

    /**
     * Number of the queue pair that the work request was posted to.
     *
     * @param record address of the record.
     * @return the local queue pair number.
     */
    public static int queuePairNumber(final long record) {
        return UnsafeApi.getInt(record + QP_NUM);
    }

    /**
     * The operation that has completed.
     *
     * @param record address of the record.
     * @return a {@link io.sluice.verbs.WorkOpcode} value.
     */
    public static int opcode(final long record) {
        return UnsafeApi.getInt(record + OPCODE);
    }

    /**
     * The flags that say which fields are valid.
     *
     * @param record address of the record.
     * @return {@link io.sluice.verbs.WorkFlags} bits of a completion.
     */
    public static int flags(final long record) {
        return UnsafeApi.getInt(record + WC_FLAGS);
    }

    /**
     * Bytes that came in.
     *
     * @param record address of the record.
     * @return length in bytes.
     */
    public static int byteLength(final long record) {
        return UnsafeApi.getInt(record + BYTE_LEN);
    }

    /**
     * Immediate data.
     *
     * @param record address of the record.
     * @return 32 bits in this host's byte order.
     */
    public static int immediateData(final long record) {
        return NetworkOrder.toHost(UnsafeApi.getInt(record + IMM_DATA));
    }

    /**
     * The key that has been invalidated: it takes the place of immediate data, in this host's byte order.
     *
     * @param record address of the record.
     * @return an rkey.
     */
    public static int invalidatedKey(final long record) {
        return UnsafeApi.getInt(record + IMM_DATA);
    }

    /**
     * Number of the peer's queue pair, of a datagram.
     *
     * @param record address of the record.
     * @return the remote queue pair number.
     */
    public static int sourceQueuePair(final long record) {
        return UnsafeApi.getInt(record + SRC_QP);
    }

    /**
     * Index of the partition key that a datagram came by.
     *
     * @param record address of the record.
     * @return 16 bits.
     */
    public static int partitionKeyIndex(final long record) {
        return Short.toUnsignedInt(UnsafeApi.getShort(record + PKEY_INDEX));
    }

    /**
     * The peer's local identifier, on InfiniBand.
     *
     * @param record address of the record.
     * @return 16 bits.
     */
    public static int sourceLid(final long record) {
        return Short.toUnsignedInt(UnsafeApi.getShort(record + SLID));
    }

    /**
     * The service level that the message came by.
     *
     * @param record address of the record.
     * @return 4 bits.
     */
    public static int serviceLevel(final long record) {
        return Byte.toUnsignedInt(UnsafeApi.getByte(record + SL));
    }

    /**
     * The path bits of this side's local identifier that the message came to.
     *
     * @param record address of the record.
     * @return 7 bits.
     */
    public static int destinationPathBits(final long record) {
        return Byte.toUnsignedInt(UnsafeApi.getByte(record + DLID_PATH_BITS));
    }
}
