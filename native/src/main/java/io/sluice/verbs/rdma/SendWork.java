package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import org.agrona.UnsafeApi;

/** Data path: posts sends by work requests. One thread at a time. */
final class SendWork extends SendPoster {
    private static final long ATOMIC = ibv_send_wr.wr$offset();
    private static final long ATOMIC_ADDRESS = ATOMIC + ibv_send_wr.wr.atomic.remote_addr$offset();
    private static final long ATOMIC_OPERAND = ATOMIC + ibv_send_wr.wr.atomic.compare_add$offset();
    private static final long ATOMIC_REPLACEMENT = ATOMIC + ibv_send_wr.wr.atomic.swap$offset();
    private static final long ATOMIC_KEY = ATOMIC + ibv_send_wr.wr.atomic.rkey$offset();

    private final SendRequest request;

    SendWork(final long function, final long queuePair, final int maxInlineData, final boolean isSystemCall) {
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
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        if (!request.fits(flags, length)) {
            return Errno.EINVAL;
        }
        request.fill(opcode, workRequestId, flags, localAddress, localKey, length);
        request.immediate(immediate);
        request.remote(remoteAddress, remoteKey);
        return request.post();
    }

    @Override
    int postChain(final SendRequest[] requests, final int index, final int count) {
        return request.postChain(requests[index].address);
    }

    /**
     * Counts the requests before the refused one. One that is none of its own is taken to be the first: it tells of
     * none that was posted.
     */
    @Override
    int posted(final SendRequest[] requests, final int index, final int count) {
        final long refused = request.refused();
        for (int i = 0; i < count; i++) {
            if (requests[index + i].address == refused) {
                return i;
            }
        }
        return 0;
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
        request.fill(opcode, workRequestId, flags, localAddress, localKey, Long.BYTES);
        UnsafeApi.putLong(request.address + ATOMIC_ADDRESS, remoteAddress);
        UnsafeApi.putLong(request.address + ATOMIC_OPERAND, operand);
        UnsafeApi.putLong(request.address + ATOMIC_REPLACEMENT, replacement);
        UnsafeApi.putInt(request.address + ATOMIC_KEY, remoteKey);
        return request.post();
    }
}
