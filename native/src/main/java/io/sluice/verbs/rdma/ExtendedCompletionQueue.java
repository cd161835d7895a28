package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.NetworkOrder;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_poll_cq_attr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ObjIntConsumer;
import org.agrona.UnsafeApi;

/**
 * A completion queue polled through {@code ibv_cq_ex}: work request id and status are loads from it, everything else is
 * a call of a reader, which is there only when its field was asked for; one that is not is refused here, never called.
 */
final class ExtendedCompletionQueue extends VerbsCompletionQueue {
    /** Completions of a batch at most; as many entries more than asked for are had of the device. */
    static final int MAX_BATCH = 16;

    private static final long WR_ID = ibv_cq_ex.wr_id$offset();
    private static final long STATUS = ibv_cq_ex.status$offset();

    private final long startPoll;
    private final long nextPoll;
    private final long endPoll;
    private final long readOpcode;
    private final long readVendorError;
    private final long readFlags;
    private final long readByteLength;
    private final long readImmediate;
    /** The reader of the queue pair's number, needed here, too, whether it is asked for or not. */
    private final long readQueuePairNumber;
    private final long readSourceQueuePair;
    private final RareReaders rareReaders;
    /** Keeps the attributes of a start, all zero: there are none yet. */
    private final MemorySegment memory = Arena.ofAuto().allocate(ibv_poll_cq_attr.layout().byteSize(), Long.BYTES);
    private final long noAttributes = memory.address();
    private final int batchLimit;
    /** Listener for the queue pair, by number, whose work has failed. */
    private final ObjIntConsumer<CompletionQueue> failedWork;
    /** Whether queue pairs leave completions behind of which the device knows no more whose they are. */
    private boolean hasForgotten;
    private int remaining;
    private boolean isInBatch;

    ExtendedCompletionQueue(
        final DeviceContext device,
        final CompletionQueueOwner owner,
        final long handle,
        final CompletionQueueAttributes attributes,
        final long requestNotify,
        final int batchLimit,
        final ObjIntConsumer<CompletionQueue> failedWork) {
        super(device, owner, handle, attributes, requestNotify, batchLimit);
        this.batchLimit = batchLimit;
        this.failedWork = failedWork;
        startPoll = pointer(ibv_cq_ex.start_poll$offset());
        nextPoll = pointer(ibv_cq_ex.next_poll$offset());
        endPoll = pointer(ibv_cq_ex.end_poll$offset());
        readOpcode = pointer(ibv_cq_ex.read_opcode$offset());
        readVendorError = pointer(ibv_cq_ex.read_vendor_err$offset());
        readFlags = pointer(ibv_cq_ex.read_wc_flags$offset());
        readByteLength = reader(CompletionField.BYTE_LENGTH, ibv_cq_ex.read_byte_len$offset());
        readImmediate = reader(CompletionField.IMMEDIATE, ibv_cq_ex.read_imm_data$offset());
        readQueuePairNumber = pointer(ibv_cq_ex.read_qp_num$offset());
        readSourceQueuePair = reader(CompletionField.SOURCE_QUEUE_PAIR, ibv_cq_ex.read_src_qp$offset());
        rareReaders = new RareReaders(handle, fields);
    }

    /**
     * Passes over forgotten ones from the beginning on: the device answers EINVAL for a completion of a queue pair that
     * is gone.
     */
    void passForgotten() {
        hasForgotten = true;
    }

    private long pointer(final long offset) {
        return RareReaders.pointer(handle, offset);
    }

    private long reader(final int field, final long offset) {
        return (fields & field) == 0 ? 0 : pointer(offset);
    }

    /** Starts a batch, until whose end the guard is held: a provider may hold its lock as long. */
    @Override
    public int startPoll() {
        if (isInBatch) {
            throw batchNotEnded();
        }
        guard.enter();
        int result = admission();
        if (result == Errno.OK) {
            result = HotCalls.startPoll(startPoll, handle, noAttributes);
            if (result == Errno.EINVAL && hasForgotten) {
                result = startBehindForgotten();
            }
        }
        if (result != Errno.OK) {
            guard.leave();
            return result;
        }
        isInBatch = true;
        poller = Thread.currentThread().threadId();
        remaining = batchLimit;
        if (hasLedgers()) {
            settle();
        }
        return result;
    }

    @Override
    public int nextPoll() {
        if (!isInBatch) {
            throw outsideBatch("nextPoll");
        }
        // A device gets its entries back at the end of the batch: one that never ends overruns the queue.
        final int result = --remaining <= 0 ? Errno.ENOENT : HotCalls.callInt(nextPoll, handle);
        if (result != Errno.OK) {
            // a start goes on behind what the device has forgotten
            return result == Errno.EINVAL && hasForgotten ? Errno.ENOENT : result;
        }
        if (hasLedgers()) {
            settle();
        }
        return Errno.OK;
    }

    /**
     * Starts behind completions of forgotten queue pairs: the device takes each one away with an answer that elsewhere
     * tells of a dead queue.
     */
    private int startBehindForgotten() {
        int result = Errno.EINVAL;
        for (int left = capacity() + batchLimit; left > 0 && result == Errno.EINVAL; left--) {
            result = HotCalls.startPoll(startPoll, handle, noAttributes);
        }
        return result;
    }

    @Override
    public int maxBatch() {
        return batchLimit;
    }

    private void settle() {
        final int status = status();
        settle(ledgers(), HotCalls.callInt(readQueuePairNumber, handle), status,
            status == WorkStatus.SUCCESS ? HotCalls.callInt(readOpcode, handle) : 0);
    }

    @Override
    public void endPoll() {
        if (!isInBatch) {
            throw outsideBatch("endPoll");
        }
        isInBatch = false;
        poller = 0;
        HotCalls.endPoll(endPoll, handle);
        guard.leave();
    }

    @Override
    public long workRequestId() {
        checkInBatch("workRequestId");
        return UnsafeApi.getLong(handle + WR_ID);
    }

    /** Tells of failed work, too: whoever takes a completion reads its status, and on success this is one compare. */
    @Override
    public int status() {
        checkInBatch("status");
        final int status = UnsafeApi.getInt(handle + STATUS);
        if (status != WorkStatus.SUCCESS && status != WorkStatus.WR_FLUSH_ERR) {
            failedWork.accept(this, HotCalls.callInt(readQueuePairNumber, handle));
        }
        return status;
    }

    /**
     * Refuses a reader outside a batch: before the first it has no record to read, and after the end another one, or
     * none.
     */
    private void checkInBatch(final String name) {
        if (!isInBatch) {
            throw outsideBatch(name);
        }
    }

    /** The reader of a field that is there only when it was asked for, and only on success. */
    private long valid(final long reader, final String name) {
        if (reader == 0) {
            throw notAskedFor(name);
        }
        checkInBatch(name);
        if (status() != WorkStatus.SUCCESS) {
            throw notValid(name, status());
        }
        return reader;
    }

    @Override
    public int opcode() {
        return HotCalls.callInt(valid(readOpcode, "opcode"), handle);
    }

    @Override
    public int vendorError() {
        checkInBatch("vendorError");
        return HotCalls.callInt(readVendorError, handle);
    }

    @Override
    public int flags() {
        return HotCalls.callInt(valid(readFlags, "flags"), handle);
    }

    @Override
    public int byteLength() {
        return HotCalls.callInt(valid(readByteLength, "byteLength"), handle);
    }

    @Override
    public int immediateData() {
        return NetworkOrder.toHost(HotCalls.callInt(valid(readImmediate, "immediateData"), handle));
    }

    @Override
    public int invalidatedKey() {
        return HotCalls.callInt(valid(readImmediate, "invalidatedKey"), handle);
    }

    @Override
    public int queuePairNumber() {
        if ((fields & CompletionField.QUEUE_PAIR_NUMBER) == 0) {
            throw notAskedFor("queuePairNumber");
        }
        checkInBatch("queuePairNumber");
        return HotCalls.callInt(readQueuePairNumber, handle);
    }

    @Override
    public int sourceQueuePair() {
        return HotCalls.callInt(valid(readSourceQueuePair, "sourceQueuePair"), handle);
    }

    /** The readers of fields that are rarely asked for, for one of them: the reader itself sees to the status. */
    private RareReaders rare(final int field, final String name) {
        if ((fields & field) == 0) {
            throw notAskedFor(name);
        }
        checkInBatch(name);
        return rareReaders;
    }

    @Override
    public int sourceLid() {
        return rare(CompletionField.SOURCE_LID, "sourceLid").sourceLid();
    }

    @Override
    public int serviceLevel() {
        return rare(CompletionField.SERVICE_LEVEL, "serviceLevel").serviceLevel();
    }

    @Override
    public int destinationPathBits() {
        return rare(CompletionField.DESTINATION_PATH_BITS, "destinationPathBits").destinationPathBits();
    }

    @Override
    public long completionTimestamp() {
        return rare(CompletionField.COMPLETION_TIMESTAMP, "completionTimestamp").completionTimestamp();
    }

    @Override
    public long completionTimestampWallClockNs() {
        return rare(CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK, "completionTimestampWallClockNs")
            .completionTimestampWallClockNs();
    }

    @Override
    public int customerVlan() {
        return rare(CompletionField.CUSTOMER_VLAN, "customerVlan").customerVlan();
    }

    @Override
    public int flowTag() {
        return rare(CompletionField.FLOW_TAG, "flowTag").flowTag();
    }

    @Override
    public long matchedTag() {
        return rare(CompletionField.TAG_MATCHING, "matchedTag").matchedTag();
    }

    @Override
    public int matchedUserData() {
        return rare(CompletionField.TAG_MATCHING, "matchedUserData").matchedUserData();
    }
}
