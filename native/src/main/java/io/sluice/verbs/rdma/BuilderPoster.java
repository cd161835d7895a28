package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.NetworkOrder;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import org.agrona.UnsafeApi;

/** Data path: posts sends through the functions of {@code ibv_qp_ex}. One thread at a time. */
final class BuilderPoster extends SendPoster {
    private static final long WR_ID = ibv_qp_ex.wr_id$offset();
    private static final long WR_FLAGS = ibv_qp_ex.wr_flags$offset();
    /** The error of soft-RoCE, by this interface, when the send queue is full. */
    private static final int ENOSPC = 28;

    private final long queuePair;
    private final SendLedger ledger;
    private final int maxInlineData;
    private final boolean isSystemCall;
    private boolean isPlainNow;
    private final long start;
    private final long complete;
    private final long write;
    private final long writeWithImmediate;
    private final long send;
    private final long sendWithImmediate;
    private final long setRange;
    private final long setInline;
    /** Functions of a queue pair that was created for them, else 0 and never called. */
    private final long read;
    private final long compareSwap;
    private final long fetchAdd;

    BuilderPoster(
        final long queuePair, final int maxInlineData, final boolean isSystemCall, final SendLedger ledger) {
        this.ledger = ledger;
        this.queuePair = queuePair;
        this.maxInlineData = maxInlineData;
        this.isSystemCall = isSystemCall;
        isPlainNow = isSystemCall;
        start = function(queuePair, ibv_qp_ex.wr_start$offset());
        complete = function(queuePair, ibv_qp_ex.wr_complete$offset());
        write = function(queuePair, ibv_qp_ex.wr_rdma_write$offset());
        writeWithImmediate = function(queuePair, ibv_qp_ex.wr_rdma_write_imm$offset());
        send = function(queuePair, ibv_qp_ex.wr_send$offset());
        sendWithImmediate = function(queuePair, ibv_qp_ex.wr_send_imm$offset());
        setRange = function(queuePair, ibv_qp_ex.wr_set_sge$offset());
        setInline = function(queuePair, ibv_qp_ex.wr_set_inline_data$offset());
        read = UnsafeApi.getLong(queuePair + ibv_qp_ex.wr_rdma_read$offset());
        compareSwap = UnsafeApi.getLong(queuePair + ibv_qp_ex.wr_atomic_cmp_swp$offset());
        fetchAdd = UnsafeApi.getLong(queuePair + ibv_qp_ex.wr_atomic_fetch_add$offset());
    }

    /** A function that the {@code ibv_qp_ex} must have. */
    static long function(final long queuePair, final long offset) {
        final long function = UnsafeApi.getLong(queuePair + offset);
        if (function == 0) {
            throw new IllegalStateException("the device's ibv_qp_ex has no function at offset " + offset);
        }
        return function;
    }

    @Override
    void postPlainly(final boolean isPlain) {
        isPlainNow = isSystemCall || isPlain;
    }

    @Override
    void onFailed() {
        ledger.onQueuePairFailed();
    }

    @Override
    int post(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        final boolean isInline = (flags & WorkFlags.INLINE) != 0;
        if (length < 0 || isInline && length > maxInlineData) {
            return Errno.EINVAL;
        }
        if (!ledger.hasRoom(1)) {
            return ledger.refusal();
        }
        start(workRequestId, flags);
        operation(opcode, remoteAddress, remoteKey, NetworkOrder.toNetwork(immediate));
        bytes(isInline, localAddress, localKey, length);
        return complete(flags);
    }

    private void bytes(final boolean isInline, final long localAddress, final int localKey, final int length) {
        if (isInline) {
            BuilderCalls.setInline(setInline, queuePair, localAddress, length);
        } else {
            // Without bytes, too: some devices end a request with it.
            BuilderCalls.four(setRange, queuePair, localKey, localAddress, length);
        }
    }

    @Override
    int postChain(final SendRequest[] requests, final int index, final int count) {
        if (!ledger.hasRoom(count)) {
            return ledger.refusal();
        }
        BuilderCalls.start(start, queuePair, isPlainNow);
        for (int i = index; i < index + count; i++) {
            final SendRequest request = requests[i];
            header(request.workRequestId(), request.flags());
            operation(request.opcode(), request.remoteAddress(), request.remoteKey(), request.networkImmediate());
            bytes((request.flags() & WorkFlags.INLINE) != 0, request.localAddress(), request.localKey(),
                request.length());
            ledger.onPosting(request.flags());
        }
        final int result = complete();
        for (int i = index; result != Errno.OK && i < index + count; i++) {
            ledger.onRefused(requests[i].flags());
        }
        return result;
    }

    /** This interface posts all or none (ibv_wr_complete(3)). */
    @Override
    int posted(final SendRequest[] requests, final int index, final int count) {
        return 0;
    }

    private void start(final long workRequestId, final int flags) {
        BuilderCalls.start(start, queuePair, isPlainNow);
        header(workRequestId, flags);
    }

    private void header(final long workRequestId, final int flags) {
        UnsafeApi.putLong(queuePair + WR_ID, workRequestId);
        // With the flag for inline bytes, which the interface does not ask for: soft-RoCE loses them without it.
        UnsafeApi.putInt(queuePair + WR_FLAGS, flags);
    }

    /** The result of a post, by that of {@code ibv_wr_complete}. */
    static int answer(final int result) {
        final int error = ProviderErrno.of(result);
        return error == ENOSPC ? Errno.ENOMEM : error;
    }

    private int complete(final int flags) {
        ledger.onPosting(flags);
        final int result = complete();
        if (result != Errno.OK) {
            ledger.onRefused(flags);
        }
        return result;
    }

    private int complete() {
        final int result = isPlainNow
            ? BuilderCalls.completeBlocking(complete, queuePair) : BuilderCalls.complete(complete, queuePair);
        return answer(result);
    }

    @Override
    int postAtomic(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long operand,
        final long replacement) {
        if (!ledger.hasRoom(1)) {
            return ledger.refusal();
        }
        start(workRequestId, flags);
        if (opcode == ATOMIC_CMP_AND_SWP) {
            BuilderCalls.compareSwap(compareSwap, queuePair, remoteKey, remoteAddress, operand, replacement);
        } else {
            BuilderCalls.fetchAdd(fetchAdd, queuePair, remoteKey, remoteAddress, operand);
        }
        BuilderCalls.four(setRange, queuePair, localKey, localAddress, Long.BYTES);
        return complete(flags);
    }

    private void operation(final int opcode, final long remoteAddress, final int remoteKey, final int immediate) {
        switch (opcode) {
            case RDMA_WRITE -> BuilderCalls.write(write, queuePair, remoteKey, remoteAddress);
            case RDMA_WRITE_WITH_IMM ->
                BuilderCalls.four(writeWithImmediate, queuePair, remoteKey, remoteAddress, immediate);
            case SEND -> BuilderCalls.start(send, queuePair);
            case RDMA_READ -> BuilderCalls.write(read, queuePair, remoteKey, remoteAddress);
            default -> BuilderCalls.sendWithImmediate(sendWithImmediate, queuePair, immediate);
        }
    }
}
