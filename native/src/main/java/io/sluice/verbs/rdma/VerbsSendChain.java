package io.sluice.verbs.rdma;

import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SendChain;

/** Data path: work requests that were made once and are linked as they are prepared. */
final class VerbsSendChain extends SendChain {
    private final Poster queuePair;
    private final SendRequest[] requests;

    /** Posts what a chain has prepared: its queue pair. One thread. */
    interface Poster {
        /** Posts requests that are linked, up to the last of them: OK or an error number. */
        int postChain(SendRequest[] requests, int index, int count);

        /** The number of sends that were posted of the chain that was refused last. */
        int posted();
    }

    VerbsSendChain(final Poster queuePair, final int capacity, final QueuePairAttributes attributes) {
        super(capacity, attributes);
        this.queuePair = queuePair;
        requests = new SendRequest[capacity];
        for (int i = 0; i < capacity; i++) {
            requests[i] = SendRequest.prepared();
        }
    }

    @Override
    protected void prepare(
        final int index,
        final int operation,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        final SendRequest request = requests[index];
        // The operations have the numbers of the library.
        request.fill(operation, workRequestId, flags, localAddress, localKey, length);
        request.remote(remoteAddress, remoteKey);
        request.immediate(immediate);
        request.next(0);
        if (index > 0) {
            requests[index - 1].next(request.address);
        }
    }

    @Override
    protected int post(final int index, final int count) {
        return queuePair.postChain(requests, index, count);
    }

    @Override
    protected int posted() {
        return queuePair.posted();
    }
}
