package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import org.agrona.UnsafeApi;

/** Data path: posts datagrams by work requests. One thread at a time. */
final class DatagramWork extends DatagramPoster {
    private static final long HANDLE = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.ah$offset();
    private static final long REMOTE_NUMBER = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long REMOTE_KEY = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.remote_qkey$offset();

    private final SendRequest request;

    DatagramWork(final long function, final long queuePair, final int maxInlineData, final boolean isSystemCall) {
        request = new SendRequest(function, queuePair, maxInlineData, isSystemCall);
    }

    @Override
    void postPlainly(final boolean isPlain) {
        request.postPlainly(isPlain);
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
        if (!request.fits(flags, length)) {
            return Errno.EINVAL;
        }
        request.fill(opcode, workRequestId, flags, localAddress, localKey, length);
        request.immediate(immediate);
        UnsafeApi.putLong(request.address + HANDLE, handle);
        UnsafeApi.putInt(request.address + REMOTE_NUMBER, remoteNumber);
        UnsafeApi.putInt(request.address + REMOTE_KEY, remoteQueueKey);
        return request.post();
    }
}
