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
        return sendQueue().post(
            Wire.WRITE, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey, 0);
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
        return sendQueue().post(Wire.WRITE_WITH_IMMEDIATE, workRequestId, flags, localAddress, localKey, length,
            remoteAddress, remoteKey, immediate);
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        return sendQueue().post(Wire.SEND, workRequestId, flags, localAddress, localKey, length, 0, 0, 0);
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        return sendQueue().post(
            Wire.SEND_WITH_IMMEDIATE, workRequestId, flags, localAddress, localKey, length, 0, 0, immediate);
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
        return sendQueue().postFetch(
            Wire.READ, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey, 0, 0);
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
        return sendQueue().postFetch(Wire.COMPARE_AND_SWAP, workRequestId, flags, localAddress, localKey, Long.BYTES,
            remoteAddress, remoteKey, expected, replacement);
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
        return sendQueue().postFetch(Wire.FETCH_AND_ADD, workRequestId, flags, localAddress, localKey, Long.BYTES,
            remoteAddress, remoteKey, addend, 0);
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
