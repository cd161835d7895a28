package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.NetworkOrder;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import org.agrona.UnsafeApi;

/** Data path: posts datagrams through the functions of {@code ibv_qp_ex}. One thread at a time. */
final class DatagramBuilder extends DatagramPoster {
    private static final long WR_ID = ibv_qp_ex.wr_id$offset();
    private static final long WR_FLAGS = ibv_qp_ex.wr_flags$offset();

    private final long queuePair;
    private final SendLedger ledger;
    private final int maxInlineData;
    private final boolean isSystemCall;
    private boolean isPlainNow;
    private final long start;
    private final long complete;
    private final long send;
    private final long sendWithImmediate;
    private final long setAddress;
    private final long setRange;
    private final long setInline;

    DatagramBuilder(
        final long queuePair, final int maxInlineData, final boolean isSystemCall, final SendLedger ledger) {
        this.ledger = ledger;
        this.queuePair = queuePair;
        this.maxInlineData = maxInlineData;
        this.isSystemCall = isSystemCall;
        isPlainNow = isSystemCall;
        start = BuilderPoster.function(queuePair, ibv_qp_ex.wr_start$offset());
        complete = BuilderPoster.function(queuePair, ibv_qp_ex.wr_complete$offset());
        send = BuilderPoster.function(queuePair, ibv_qp_ex.wr_send$offset());
        sendWithImmediate = BuilderPoster.function(queuePair, ibv_qp_ex.wr_send_imm$offset());
        setAddress = BuilderPoster.function(queuePair, ibv_qp_ex.wr_set_ud_addr$offset());
        setRange = BuilderPoster.function(queuePair, ibv_qp_ex.wr_set_sge$offset());
        setInline = BuilderPoster.function(queuePair, ibv_qp_ex.wr_set_inline_data$offset());
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
        final long handle,
        final int remoteNumber,
        final int remoteQueueKey,
        final int immediate) {
        final boolean isInline = (flags & WorkFlags.INLINE) != 0;
        if (length < 0 || isInline && length > maxInlineData) {
            return Errno.EINVAL;
        }
        if (!ledger.hasRoom(1)) {
            return ledger.refusal();
        }
        BuilderCalls.start(start, queuePair, isPlainNow);
        UnsafeApi.putLong(queuePair + WR_ID, workRequestId);
        // With the flag for inline bytes, which the interface does not ask for: soft-RoCE loses them without it.
        UnsafeApi.putInt(queuePair + WR_FLAGS, flags);
        if (opcode == SendPoster.SEND) {
            BuilderCalls.start(send, queuePair);
        } else {
            BuilderCalls.sendWithImmediate(sendWithImmediate, queuePair, NetworkOrder.toNetwork(immediate));
        }
        BuilderCalls.setAddress(setAddress, queuePair, handle, remoteNumber, remoteQueueKey);
        if (isInline) {
            BuilderCalls.setInline(setInline, queuePair, localAddress, length);
        } else {
            // Without bytes, too: some devices end a request with it.
            BuilderCalls.four(setRange, queuePair, localKey, localAddress, length);
        }
        ledger.onPosting(flags);
        final int result = BuilderPoster.answer(isPlainNow
            ? BuilderCalls.completeBlocking(complete, queuePair) : BuilderCalls.complete(complete, queuePair));
        if (result != Errno.OK) {
            ledger.onRefused(flags);
        }
        return result;
    }
}
