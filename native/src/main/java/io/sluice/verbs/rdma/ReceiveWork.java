package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.generated.ibv_recv_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * Data path: posts receives. A chain of requests without buffers is linked once and cut where a post ends, so that many
 * receives cost one call. One thread at a time.
 */
final class ReceiveWork {
    /** Requests of the chain: more receives at a time take several calls. */
    static final int CHAIN = 64;

    private static final long WR_ID = ibv_recv_wr.wr_id$offset();
    private static final long NEXT = ibv_recv_wr.next$offset();
    private static final long SG_LIST = ibv_recv_wr.sg_list$offset();
    private static final long NUM_SGE = ibv_recv_wr.num_sge$offset();
    private static final long REQUEST_LENGTH = ibv_recv_wr.layout().byteSize();
    private static final long RANGE_ADDRESS = ibv_sge.addr$offset();
    private static final long RANGE_BYTES = ibv_sge.length$offset();
    private static final long RANGE_KEY = ibv_sge.lkey$offset();

    private final long function;
    private final long queuePair;
    private final int maxWork;
    private final MemorySegment memory = Arena.ofAuto().allocate(
        (CHAIN + 1) * REQUEST_LENGTH + ibv_sge.layout().byteSize() + Long.BYTES, Long.BYTES);
    private final long chain = memory.address();
    private final long single = chain + CHAIN * REQUEST_LENGTH;
    private final long range = single + REQUEST_LENGTH;
    private final long refused = range + ibv_sge.layout().byteSize();
    /** Receives that the device took of posts that did not fit as a whole; they count for the next ones. */
    private int surplus;
    private final boolean isPlainAlways;
    private boolean isPlain;

    ReceiveWork(final long function, final long queuePair, final int maxWork, final boolean isPlainAlways) {
        this.isPlainAlways = isPlainAlways;
        isPlain = isPlainAlways;
        this.function = function;
        this.queuePair = queuePair;
        this.maxWork = maxWork;
        UnsafeApi.putLong(single + SG_LIST, range);
        for (int i = 0; i < CHAIN - 1; i++) {
            UnsafeApi.putLong(request(i) + NEXT, request(i + 1));
        }
    }

    private long request(final int index) {
        return chain + index * REQUEST_LENGTH;
    }

    int post(final long workRequestId, final long address, final int localKey, final int length) {
        if (length < 0) {
            return Errno.EINVAL;
        }
        UnsafeApi.putLong(single + WR_ID, workRequestId);
        UnsafeApi.putInt(single + NUM_SGE, length == 0 ? 0 : 1);
        UnsafeApi.putLong(range + RANGE_ADDRESS, address);
        UnsafeApi.putInt(range + RANGE_BYTES, length);
        UnsafeApi.putInt(range + RANGE_KEY, localKey);
        return post(single);
    }

    int postMany(final long workRequestId, final int count) {
        if (count < 1) {
            return Errno.EINVAL;
        }
        if (count > maxWork) {
            return Errno.ENOMEM;
        }
        int posted = Math.min(count, surplus);
        surplus -= posted;
        while (posted < count) {
            final int length = Math.min(count - posted, CHAIN);
            final int result = postChain(workRequestId, length);
            if (result != Errno.OK) {
                surplus += posted + taken(length);
                return result;
            }
            posted += length;
        }
        return Errno.OK;
    }

    /** Receives of a chain before the one that the device says it did not take; none when it names none of ours. */
    private int taken(final int length) {
        final long distance = UnsafeApi.getLong(refused) - chain;
        return distance >= 0 && distance < length * REQUEST_LENGTH && distance % REQUEST_LENGTH == 0
            ? (int) (distance / REQUEST_LENGTH) : 0;
    }

    private int postChain(final long workRequestId, final int length) {
        for (int i = 0; i < length; i++) {
            UnsafeApi.putLong(request(i) + WR_ID, workRequestId);
        }
        final long last = request(length - 1);
        final long next = UnsafeApi.getLong(last + NEXT);
        UnsafeApi.putLong(last + NEXT, 0);
        UnsafeApi.putLong(refused, 0);
        final int result = post(chain);
        UnsafeApi.putLong(last + NEXT, next);
        return result;
    }

    private int post(final long first) {
        final int result = isPlain ? HotCalls.postBlocking(function, queuePair, first, refused)
            : HotCalls.post(function, queuePair, first, refused);
        return ProviderErrno.of(result);
    }

    /** Posts by a plain call from now on, or as suits the device. */
    void postPlainly(final boolean isAsked) {
        isPlain = isPlainAlways || isAsked;
    }
}
