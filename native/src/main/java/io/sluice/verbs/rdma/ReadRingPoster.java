package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;

/**
 * Data path: posts sends by work requests to a device that has a ring of its own for READs and calls those invalid for
 * which it has no place (mana). The device is asked all the same: it overwrites nothing, and frees places of READs
 * that are not signalled when it is polled, of which a ledger hears with the next signalled one only. What is counted
 * tells what its answer means, until the queue pair has failed: from then on it calls every send invalid, and a caller
 * that is told of a full queue would wait for ever. One thread at a time.
 */
final class ReadRingPoster extends SendPoster {
    private final SendWork work;
    private final SendLedger reads;
    private volatile boolean hasFailed;

    ReadRingPoster(final SendWork work, final SendLedger reads) {
        this.work = work;
        this.reads = reads;
    }

    @Override
    void postPlainly(final boolean isPlain) {
        work.postPlainly(isPlain);
    }

    @Override
    void onFailed() {
        hasFailed = true;
    }

    private static int weight(final int opcode) {
        return opcode == RDMA_READ ? 1 : 0;
    }

    /** The answer that a refused request with this operation gets. */
    private int answer(final int result, final int opcode) {
        return result == Errno.EINVAL && opcode == RDMA_READ && !reads.hasRoom(1) && !hasFailed
            ? Errno.ENOMEM : result;
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
        reads.onPosting(flags, weight(opcode));
        final int result = work.post(opcode, workRequestId, flags, localAddress, localKey, length, remoteAddress,
            remoteKey, immediate);
        if (result == Errno.OK) {
            return result;
        }
        reads.onRefused(flags, weight(opcode));
        return length < 0 ? result : answer(result, opcode);
    }

    @Override
    int postChain(final SendRequest[] requests, final int index, final int count) {
        for (int i = index; i < index + count; i++) {
            reads.onPosting(requests[i].flags(), weight(requests[i].opcode()));
        }
        final int result = work.postChain(requests, index, count);
        if (result == Errno.OK) {
            return result;
        }
        final int first = index + work.posted(requests, index, count);
        for (int i = first; i < index + count; i++) {
            reads.onRefused(requests[i].flags(), weight(requests[i].opcode()));
        }
        return answer(result, requests[first].opcode());
    }

    @Override
    int posted(final SendRequest[] requests, final int index, final int count) {
        return work.posted(requests, index, count);
    }

    /** Refuses an atomic, since a device with such a ring has none. */
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
        return Errno.EOPNOTSUPP;
    }
}
