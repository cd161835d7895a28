package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.NetworkOrder;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * A completion queue polled by {@code ibv_poll_cq}: one call takes a batch into records of this process, and every
 * field is a load from there. Completions that a caller leaves behind come first at the next start.
 */
final class LegacyCompletionQueue extends VerbsCompletionQueue {
    /** The fields that {@code ibv_wc} has. */
    static final int FIELDS = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE
        | CompletionField.QUEUE_PAIR_NUMBER | CompletionField.SOURCE_QUEUE_PAIR | CompletionField.SOURCE_LID
        | CompletionField.SERVICE_LEVEL | CompletionField.DESTINATION_PATH_BITS;
    /** Completions taken by one call: more gain nothing, and delay what is done with the first. */
    static final int BATCH = 16;

    private static final long RECORD_LENGTH = ibv_wc.layout().byteSize();
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
    /** An error of {@code ibv_poll_cq}, which has no errno. */
    private static final int EIO = 5;

    private final long pollCq;
    /** Keeps the records. */
    private final MemorySegment memory = Arena.ofAuto().allocate(BATCH * RECORD_LENGTH, Long.BYTES);
    private final long records = memory.address();
    private int count;
    private int index;
    private long current;
    private boolean isInBatch;

    LegacyCompletionQueue(
        final VerbsDevice device,
        final long handle,
        final CompletionQueueAttributes attributes,
        final long requestNotify,
        final long pollCq) {
        super(device, handle, attributes, requestNotify, 0);
        this.pollCq = pollCq;
    }

    @Override
    public int startPoll() {
        if (isInBatch) {
            throw inBatch();
        }
        final int result = isShut ? Errno.EINVAL : index < count ? Errno.OK : take();
        isInBatch = result == Errno.OK;
        poller = isInBatch ? Thread.currentThread().threadId() : 0;
        current = records + index * RECORD_LENGTH;
        return result;
    }

    @Override
    public int nextPoll() {
        if (!isInBatch) {
            throw notInBatch("nextPoll");
        }
        if (index + 1 >= count) {
            // A short batch was all that there was.
            if (count < BATCH || isShut) {
                return Errno.ENOENT;
            }
            final int result = take();
            if (result != Errno.OK) {
                // Nothing is current now, and endPoll has nothing to pass over.
                index = count - 1;
                return result;
            }
            current = records;
            return Errno.OK;
        }
        index++;
        current += RECORD_LENGTH;
        return Errno.OK;
    }

    /** Fill the records anew; the current one, if any, is gone. */
    private int take() {
        guard.enter();
        try {
            if (isShut) {
                return Errno.EINVAL;
            }
            final int taken = HotCalls.pollCq(pollCq, handle, BATCH, records);
            if (taken > 0) {
                count = taken;
                index = 0;
                return Errno.OK;
            }
            return taken == 0 ? Errno.ENOENT : EIO;
        } finally {
            guard.leave();
        }
    }

    @Override
    public void endPoll() {
        if (!isInBatch) {
            throw notInBatch("endPoll");
        }
        isInBatch = false;
        poller = 0;
        index++;
    }

    @Override
    public long workRequestId() {
        return UnsafeApi.getLong(current("workRequestId") + WR_ID);
    }

    @Override
    public int status() {
        return UnsafeApi.getInt(current("status") + STATUS);
    }

    /** There is none before the first batch, and between two. */
    private long current(final String name) {
        if (!isInBatch) {
            throw notInBatch(name);
        }
        return current;
    }

    /** The current record, for a field that is there only when it was asked for, and only on success. */
    private long valid(final int field, final String name) {
        if ((fields & field) != field) {
            throw notAskedFor(name);
        }
        final long record = current(name);
        if (status() != WorkStatus.SUCCESS) {
            throw notValid(name, status());
        }
        return record;
    }

    @Override
    public int opcode() {
        return UnsafeApi.getInt(valid(0, "opcode") + OPCODE);
    }

    @Override
    public int vendorError() {
        return UnsafeApi.getInt(current("vendorError") + VENDOR_ERR);
    }

    @Override
    public int flags() {
        return UnsafeApi.getInt(valid(0, "flags") + WC_FLAGS);
    }

    @Override
    public int byteLength() {
        return UnsafeApi.getInt(valid(CompletionField.BYTE_LENGTH, "byteLength") + BYTE_LEN);
    }

    @Override
    public int immediateData() {
        return NetworkOrder.toHost(UnsafeApi.getInt(valid(CompletionField.IMMEDIATE, "immediateData") + IMM_DATA));
    }

    @Override
    public int invalidatedKey() {
        return UnsafeApi.getInt(valid(CompletionField.IMMEDIATE, "invalidatedKey") + IMM_DATA);
    }

    @Override
    public int partitionKeyIndex() {
        return Short.toUnsignedInt(UnsafeApi.getShort(valid(0, "partitionKeyIndex") + PKEY_INDEX));
    }

    @Override
    public int queuePairNumber() {
        if ((fields & CompletionField.QUEUE_PAIR_NUMBER) == 0) {
            throw notAskedFor("queuePairNumber");
        }
        return UnsafeApi.getInt(current("queuePairNumber") + QP_NUM);
    }

    @Override
    public int sourceQueuePair() {
        return UnsafeApi.getInt(valid(CompletionField.SOURCE_QUEUE_PAIR, "sourceQueuePair") + SRC_QP);
    }

    @Override
    public int sourceLid() {
        return Short.toUnsignedInt(UnsafeApi.getShort(valid(CompletionField.SOURCE_LID, "sourceLid") + SLID));
    }

    @Override
    public int serviceLevel() {
        return Byte.toUnsignedInt(UnsafeApi.getByte(valid(CompletionField.SERVICE_LEVEL, "serviceLevel") + SL));
    }

    @Override
    public int destinationPathBits() {
        return Byte.toUnsignedInt(UnsafeApi.getByte(
            valid(CompletionField.DESTINATION_PATH_BITS, "destinationPathBits") + DLID_PATH_BITS));
    }
}
