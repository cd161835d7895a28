package io.sluice.transport.harness;

import io.sluice.transport.harness.UndersizedQueues.Manner;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;

/** A completion queue that may have less room than it says, and may seem empty for a while. */
final class SmallQueue extends CompletionQueue {
    private final CompletionQueue actual;
    private final Manner manner;
    private volatile int capacity;
    private volatile boolean seemsEmpty;

    SmallQueue(final CompletionQueue actual, final int capacity, final Manner manner) {
        this.actual = actual;
        this.capacity = capacity;
        this.manner = manner;
        seemsEmpty = manner == Manner.LATE || manner == Manner.HELD;
    }

    CompletionQueue actual() {
        return actual;
    }

    void hide() {
        seemsEmpty = true;
    }

    void show() {
        seemsEmpty = false;
    }

    @Override
    public int startPoll() {
        return seemsEmpty ? Errno.ENOENT : actual.startPoll();
    }

    @Override
    public int nextPoll() {
        return actual.nextPoll();
    }

    @Override
    public int maxBatch() {
        return actual.maxBatch();
    }

    @Override
    public void endPoll() {
        actual.endPoll();
    }

    @Override
    public long workRequestId() {
        return actual.workRequestId();
    }

    @Override
    public int status() {
        return actual.status();
    }

    @Override
    public int opcode() {
        return actual.opcode();
    }

    @Override
    public int vendorError() {
        return actual.vendorError();
    }

    @Override
    public int flags() {
        return actual.flags();
    }

    @Override
    public int byteLength() {
        return actual.byteLength();
    }

    @Override
    public int immediateData() {
        return actual.immediateData();
    }

    @Override
    public int queuePairNumber() {
        return actual.queuePairNumber();
    }

    @Override
    public int sourceQueuePair() {
        return actual.sourceQueuePair();
    }

    @Override
    public int fields() {
        return actual.fields();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void resize(final int newCapacity) {
        if (manner == Manner.FIXED) {
            throw new VerbsException("ibv_resize_cq", Errno.EOPNOTSUPP, "this device does not resize");
        } else if (manner != Manner.HONEST) {
            capacity = newCapacity;
        }
    }

    @Override
    public int requestNotify(final boolean solicitedOnly) {
        return actual.requestNotify(solicitedOnly);
    }

    @Override
    public void acknowledgeEvents(final int count) {
        actual.acknowledgeEvents(count);
    }

    @Override
    public void close() {
        actual.close();
    }
}
