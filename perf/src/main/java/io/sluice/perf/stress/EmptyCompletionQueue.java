package io.sluice.perf.stress;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;

/**
 * A completion queue on which nothing ever completes. Stateless, so that one serves all tests.
 */
final class EmptyCompletionQueue extends CompletionQueue {
    static final EmptyCompletionQueue INSTANCE = new EmptyCompletionQueue();

    private EmptyCompletionQueue() {
    }

    @Override
    public int startPoll() {
        return Errno.ENOENT;
    }

    @Override
    public int nextPoll() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void endPoll() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long workRequestId() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int status() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int opcode() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int vendorError() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int flags() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int byteLength() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int immediateData() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int queuePairNumber() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int sourceQueuePair() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int fields() {
        return 0;
    }

    @Override
    public int capacity() {
        return 1;
    }

    @Override
    public void resize(final int capacity) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int requestNotify(final boolean solicitedOnly) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void acknowledgeEvents(final int count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // nothing to release
    }
}
