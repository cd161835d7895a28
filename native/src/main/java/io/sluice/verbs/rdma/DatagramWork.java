package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * Data path: posts datagrams. One work request with one range is made once; a post fills in what differs. One thread at
 * a time.
 */
final class DatagramWork extends DatagramPoster {
    private static final long WR_ID = ibv_send_wr.wr_id$offset();
    private static final long SG_LIST = ibv_send_wr.sg_list$offset();
    private static final long NUM_SGE = ibv_send_wr.num_sge$offset();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
    private static final long IMM_DATA = ibv_send_wr.imm_data$offset();
    private static final long HANDLE = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.ah$offset();
    private static final long REMOTE_NUMBER = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long REMOTE_KEY = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.remote_qkey$offset();
    private static final long REQUEST_LENGTH = ibv_send_wr.layout().byteSize();
    private static final long RANGE_LENGTH = ibv_sge.layout().byteSize();
    private static final long RANGE_ADDRESS = ibv_sge.addr$offset();
    private static final long RANGE_BYTES = ibv_sge.length$offset();
    private static final long RANGE_KEY = ibv_sge.lkey$offset();

    private final long function;
    private final long queuePair;
    private final int maxInlineData;
    private final boolean isSystemCall;
    /** Keeps request, range, and the word for the address of a request that was refused. */
    private final MemorySegment memory =
        Arena.ofAuto().allocate(REQUEST_LENGTH + RANGE_LENGTH + Long.BYTES, Long.BYTES);
    private final long request = memory.address();
    private final long range = request + REQUEST_LENGTH;
    private final long refused = range + RANGE_LENGTH;

    DatagramWork(final long function, final long queuePair, final int maxInlineData, final boolean isSystemCall) {
        this.function = function;
        this.queuePair = queuePair;
        this.maxInlineData = maxInlineData;
        this.isSystemCall = isSystemCall;
        UnsafeApi.putLong(request + SG_LIST, range);
    }

    @Override
    int post(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long handle,
        final int remoteNumber,
        final int remoteQueueKey,
        final int immediate) {
        if (length < 0 || (flags & WorkFlags.INLINE) != 0 && length > maxInlineData) {
            return Errno.EINVAL;
        }
        UnsafeApi.putLong(request + WR_ID, workRequestId);
        UnsafeApi.putInt(request + OPCODE, opcode);
        UnsafeApi.putInt(request + SEND_FLAGS, flags);
        // Keys do not matter when there are no bytes.
        UnsafeApi.putInt(request + NUM_SGE, length == 0 ? 0 : 1);
        UnsafeApi.putInt(request + IMM_DATA, NetworkOrder.toNetwork(immediate));
        UnsafeApi.putLong(request + HANDLE, handle);
        UnsafeApi.putInt(request + REMOTE_NUMBER, remoteNumber);
        UnsafeApi.putInt(request + REMOTE_KEY, remoteQueueKey);
        UnsafeApi.putLong(range + RANGE_ADDRESS, localAddress);
        UnsafeApi.putInt(range + RANGE_BYTES, length);
        UnsafeApi.putInt(range + RANGE_KEY, localKey);
        final int result = isSystemCall
            ? HotCalls.postBlocking(function, queuePair, request, refused)
            : HotCalls.post(function, queuePair, request, refused);
        return result < 0 ? SendPoster.EIO : result;
    }
}
