package io.sluice.verbs.software;

import io.sluice.verbs.QueuePair;
import io.sluice.verbs.SendChain;

/** Data path of a queue pair: what is posted goes to its two queues. One thread at a time for each of them. */
abstract class PostingQueuePair extends QueuePair {
    abstract SendQueue sendQueue();

    abstract ReceiveQueue receiveQueue();

    @Override
    public int postWrite(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        final SendQueue queue = sendQueue();
        return queue.post(Wire.WRITE, queue.request().start(workRequestId, flags, length, 0)
            .local(localAddress, localKey).remote(remoteAddress, remoteKey));
    }

    @Override
    public int postWriteWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        final SendQueue queue = sendQueue();
        return queue.post(Wire.WRITE_WITH_IMMEDIATE, queue.request().start(workRequestId, flags, length, immediate)
            .local(localAddress, localKey).remote(remoteAddress, remoteKey));
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        final SendQueue queue = sendQueue();
        return queue.post(Wire.SEND, queue.request().start(workRequestId, flags, length, 0)
            .local(localAddress, localKey));
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        final SendQueue queue = sendQueue();
        return queue.post(Wire.SEND_WITH_IMMEDIATE, queue.request().start(workRequestId, flags, length, immediate)
            .local(localAddress, localKey));
    }

    @Override
    public int postRead(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        final SendQueue queue = sendQueue();
        return queue.postFetch(Wire.READ, queue.request().start(workRequestId, flags, length, 0)
            .local(localAddress, localKey).remote(remoteAddress, remoteKey));
    }

    @Override
    public int postCompareAndSwap(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long expected,
        final long replacement) {
        final SendQueue queue = sendQueue();
        return queue.postFetch(Wire.COMPARE_AND_SWAP, queue.request().start(workRequestId, flags, Long.BYTES, 0)
            .local(localAddress, localKey).remote(remoteAddress, remoteKey)
            .operands(expected, replacement));
    }

    @Override
    public int postFetchAdd(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long addend) {
        final SendQueue queue = sendQueue();
        return queue.postFetch(Wire.FETCH_AND_ADD, queue.request().start(workRequestId, flags, Long.BYTES, 0)
            .local(localAddress, localKey).remote(remoteAddress, remoteKey).operands(addend, 0));
    }

    @Override
    public SendChain newSendChain(final int capacity) {
        return new SoftwareSendChain(sendQueue(), capacity, attributes());
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        return receiveQueue().post(workRequestId, address, localKey, length);
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        return receiveQueue().postMany(workRequestId, count);
    }
}
