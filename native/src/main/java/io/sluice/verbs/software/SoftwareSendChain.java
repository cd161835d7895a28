package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SendChain;

/** Data path: prepared sends, carried out one after the other when they are posted. */
final class SoftwareSendChain extends SendChain {
    private final SendQueue sendQueue;
    private final int[] operations;
    private final long[] workRequestIds;
    private final int[] flags;
    private final long[] localAddresses;
    private final int[] localKeys;
    private final int[] lengths;
    private final long[] remoteAddresses;
    private final int[] remoteKeys;
    private final int[] immediates;
    private int posted;

    SoftwareSendChain(final SendQueue sendQueue, final int capacity, final QueuePairAttributes attributes) {
        super(capacity, attributes);
        this.sendQueue = sendQueue;
        operations = new int[capacity];
        workRequestIds = new long[capacity];
        flags = new int[capacity];
        localAddresses = new long[capacity];
        localKeys = new int[capacity];
        lengths = new int[capacity];
        remoteAddresses = new long[capacity];
        remoteKeys = new int[capacity];
        immediates = new int[capacity];
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
        final int workFlags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        operations[index] = wire(operation);
        workRequestIds[index] = workRequestId;
        flags[index] = workFlags;
        localAddresses[index] = localAddress;
        localKeys[index] = localKey;
        lengths[index] = length;
        remoteAddresses[index] = remoteAddress;
        remoteKeys[index] = remoteKey;
        immediates[index] = immediate;
    }

    @Override
    protected int post(final int index, final int count) {
        for (int i = index; i < index + count; i++) {
            final int result = sendQueue.post(operations[i], workRequestIds[i], flags[i], localAddresses[i],
                localKeys[i], lengths[i], remoteAddresses[i], remoteKeys[i], immediates[i]);
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
