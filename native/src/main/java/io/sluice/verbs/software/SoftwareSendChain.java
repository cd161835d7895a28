package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SendChain;

/** Data path: prepared sends, carried out one after the other when they are posted. */
final class SoftwareSendChain extends SendChain {
    private final SendQueue sendQueue;
    private final int[] operations;
    private final SendRequest[] requests;
    private int posted;

    SoftwareSendChain(final SendQueue sendQueue, final int capacity, final QueuePairAttributes attributes) {
        super(capacity, attributes);
        this.sendQueue = sendQueue;
        operations = new int[capacity];
        requests = new SendRequest[capacity];
        for (int i = 0; i < capacity; i++) {
            requests[i] = new SendRequest();
        }
    }

    private static int wire(final int operation) {
        return switch (operation) {
            case WRITE -> Wire.WRITE;
            case WRITE_WITH_IMMEDIATE -> Wire.WRITE_WITH_IMMEDIATE;
            case SEND -> Wire.SEND;
            default -> Wire.SEND_WITH_IMMEDIATE;
        };
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
        operations[index] = wire(operation);
        requests[index].start(workRequestId, flags, length, immediate)
            .local(localAddress, localKey).remote(remoteAddress, remoteKey);
    }

    @Override
    protected int post(final int index, final int count) {
        for (int i = index; i < index + count; i++) {
            final int result = sendQueue.post(operations[i], requests[i]);
            if (result != Errno.OK) {
                posted = i - index;
                return result;
            }
        }
        return Errno.OK;
    }

    @Override
    protected int posted() {
        return posted;
    }
}
