package io.sluice.verbs.rdma;

import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.NetworkOrder;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * Data path: a work request of the send queue with one range, made once; a post fills in what differs. One thread at a
 * time.
 */
final class SendRequest {
    private static final long NEXT = ibv_send_wr.next$offset();
    private static final long REMOTE_ADDRESS = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long REMOTE_KEY = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long WR_ID = ibv_send_wr.wr_id$offset();
    private static final long SG_LIST = ibv_send_wr.sg_list$offset();
    private static final long NUM_SGE = ibv_send_wr.num_sge$offset();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
    private static final long IMM_DATA = ibv_send_wr.imm_data$offset();
    private static final long REQUEST_LENGTH = ibv_send_wr.layout().byteSize();
    private static final long RANGE_LENGTH = ibv_sge.layout().byteSize();
    private static final long RANGE_ADDRESS = ibv_sge.addr$offset();
    private static final long RANGE_BYTES = ibv_sge.length$offset();
    private static final long RANGE_KEY = ibv_sge.lkey$offset();

    /** Address of the {@code ibv_send_wr}, for the fields that only some operations have. */
    final long address;

    private final long function;
    private final long queuePair;
    private final int maxInlineData;
    private final boolean isSystemCall;
    private boolean isPlain;
    /** Keeps request, range, and the word for the address of a request that was refused. */
    private final MemorySegment memory =
        Arena.ofAuto().allocate(REQUEST_LENGTH + RANGE_LENGTH + Long.BYTES, Long.BYTES);
    private final long range;
    private final long refused;

    SendRequest(final long function, final long queuePair, final int maxInlineData, final boolean isSystemCall) {
        this.function = function;
        this.queuePair = queuePair;
        this.maxInlineData = maxInlineData;
        this.isSystemCall = isSystemCall;
        isPlain = isSystemCall;
        address = memory.address();
        range = address + REQUEST_LENGTH;
        refused = range + RANGE_LENGTH;
        UnsafeApi.putLong(address + SG_LIST, range);
    }

    /** Posts by a plain call from now on, or as suits the device. */
    void postPlainly(final boolean isAsked) {
        isPlain = isSystemCall || isAsked;
    }

    /** One that is kept in a chain, and posted with the first of it. */
    static SendRequest prepared() {
        return new SendRequest(0, 0, 0, false);
    }

    /** Whether so many bytes can be posted with these flags. */
    boolean fits(final int flags, final int length) {
        return length >= 0 && ((flags & WorkFlags.INLINE) == 0 || length <= maxInlineData);
    }

    /** Fill in the fields that every operation has. */
    void fill(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length) {
        UnsafeApi.putLong(address + WR_ID, workRequestId);
        UnsafeApi.putInt(address + OPCODE, opcode);
        UnsafeApi.putInt(address + SEND_FLAGS, flags);
        // Keys do not matter when there are no bytes.
        UnsafeApi.putInt(address + NUM_SGE, length == 0 ? 0 : 1);
        UnsafeApi.putLong(range + RANGE_ADDRESS, localAddress);
        UnsafeApi.putInt(range + RANGE_BYTES, length);
        UnsafeApi.putInt(range + RANGE_KEY, localKey);
    }

    /** Sets where the peer's bytes are. */
    void remote(final long remoteAddress, final int remoteKey) {
        UnsafeApi.putLong(address + REMOTE_ADDRESS, remoteAddress);
        UnsafeApi.putInt(address + REMOTE_KEY, remoteKey);
    }

    /** Sets the request that is posted after this one, by its address; 0 for none. */
    void next(final long request) {
        UnsafeApi.putLong(address + NEXT, request);
    }

    int opcode() {
        return UnsafeApi.getInt(address + OPCODE);
    }

    long workRequestId() {
        return UnsafeApi.getLong(address + WR_ID);
    }

    int flags() {
        return UnsafeApi.getInt(address + SEND_FLAGS);
    }

    long localAddress() {
        return UnsafeApi.getLong(range + RANGE_ADDRESS);
    }

    int localKey() {
        return UnsafeApi.getInt(range + RANGE_KEY);
    }

    int length() {
        return UnsafeApi.getInt(range + RANGE_BYTES);
    }

    long remoteAddress() {
        return UnsafeApi.getLong(address + REMOTE_ADDRESS);
    }

    int remoteKey() {
        return UnsafeApi.getInt(address + REMOTE_KEY);
    }

    /** Immediate data in network order, as it is kept. */
    int networkImmediate() {
        return UnsafeApi.getInt(address + IMM_DATA);
    }

    void immediate(final int immediate) {
        UnsafeApi.putInt(address + IMM_DATA, NetworkOrder.toNetwork(immediate));
    }

    /** Posts the request: 0 or an error number. */
    int post() {
        return post(address);
    }

    /**
     * Post a chain by its first request.
     *
     * @return 0 or an error number, after which {@link #refused()} is the first that was not posted.
     */
    int postChain(final long first) {
        // A provider that does not tell has posted none.
        UnsafeApi.putLong(refused, 0);
        return post(first);
    }

    long refused() {
        return UnsafeApi.getLong(refused);
    }

    private int post(final long first) {
        final int result = isPlain
            ? HotCalls.postBlocking(function, queuePair, first, refused)
            : HotCalls.post(function, queuePair, first, refused);
        return ProviderErrno.of(result);
    }
}
