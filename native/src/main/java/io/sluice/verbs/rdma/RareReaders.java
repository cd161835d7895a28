package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import io.sluice.verbs.rdma.generated.ibv_wc_tm_info;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** Readers of an {@code ibv_cq_ex} that a transport of messages has no use for. The poller's thread. */
final class RareReaders {
    private static final long STATUS = ibv_cq_ex.status$offset();
    private static final int MASK_16_BITS = 0xffff;
    private static final int MASK_8_BITS = 0xff;

    private final long handle;
    private final int fields;
    private final long readSourceLid;
    private final long readServiceLevel;
    private final long readDestinationPathBits;
    private final long readTimestamp;
    private final long readWallClock;
    private final long readVlan;
    private final long readFlowTag;
    private final long readTagMatching;
    /** Memory that the reader of tag matching writes to. */
    private final MemorySegment memory = Arena.ofAuto().allocate(ibv_wc_tm_info.layout());

    RareReaders(final long handle, final int fields) {
        this.handle = handle;
        this.fields = fields;
        readSourceLid = reader(CompletionField.SOURCE_LID, ibv_cq_ex.read_slid$offset());
        readServiceLevel = reader(CompletionField.SERVICE_LEVEL, ibv_cq_ex.read_sl$offset());
        readDestinationPathBits =
            reader(CompletionField.DESTINATION_PATH_BITS, ibv_cq_ex.read_dlid_path_bits$offset());
        readTimestamp = reader(CompletionField.COMPLETION_TIMESTAMP, ibv_cq_ex.read_completion_ts$offset());
        readWallClock = reader(
            CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK, ibv_cq_ex.read_completion_wallclock_ns$offset());
        readVlan = reader(CompletionField.CUSTOMER_VLAN, ibv_cq_ex.read_cvlan$offset());
        readFlowTag = reader(CompletionField.FLOW_TAG, ibv_cq_ex.read_flow_tag$offset());
        readTagMatching = reader(CompletionField.TAG_MATCHING, ibv_cq_ex.read_tm_info$offset());
    }

    /** A function that the queue must have. */
    static long pointer(final long handle, final long offset) {
        final long function = UnsafeApi.getLong(handle + offset);
        if (function == 0) {
            throw new IllegalStateException("the device's ibv_cq_ex has no function at offset " + offset);
        }
        return function;
    }

    private long reader(final int field, final long offset) {
        return (fields & field) == 0 ? 0 : pointer(handle, offset);
    }

    /** A reader, which is there since its field was asked for, of a completion that is valid. */
    private long valid(final long reader, final String name) {
        final int status = UnsafeApi.getInt(handle + STATUS);
        if (status != WorkStatus.SUCCESS) {
            throw CompletionQueue.notValid(name, status);
        }
        return reader;
    }

    int sourceLid() {
        return HotCalls.callInt(valid(readSourceLid, "sourceLid"), handle);
    }

    int serviceLevel() {
        return HotCalls.callInt(valid(readServiceLevel, "serviceLevel"), handle) & MASK_8_BITS;
    }

    int destinationPathBits() {
        return HotCalls.callInt(valid(readDestinationPathBits, "destinationPathBits"), handle) & MASK_8_BITS;
    }

    long completionTimestamp() {
        return HotCalls.callLong(valid(readTimestamp, "completionTimestamp"), handle);
    }

    long completionTimestampWallClockNs() {
        return HotCalls.callLong(valid(readWallClock, "completionTimestampWallClockNs"), handle);
    }

    int customerVlan() {
        return HotCalls.callInt(valid(readVlan, "customerVlan"), handle) & MASK_16_BITS;
    }

    int flowTag() {
        return HotCalls.callInt(valid(readFlowTag, "flowTag"), handle);
    }

    long matchedTag() {
        HotCalls.read(valid(readTagMatching, "matchedTag"), handle, memory.address());
        return ibv_wc_tm_info.tag(memory);
    }

    int matchedUserData() {
        HotCalls.read(valid(readTagMatching, "matchedUserData"), handle, memory.address());
        return ibv_wc_tm_info.priv(memory);
    }
}
