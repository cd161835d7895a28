package io.sluice.verbs;

import org.agrona.concurrent.UnsafeBuffer;

/** One end of a link under test: a queue pair with its completion queues and one region. */
final class Endpoint implements AutoCloseable {
    static final int FIELDS = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE
        | CompletionField.QUEUE_PAIR_NUMBER;
    /** Fields of a datagram's completion, with who has sent it. */
    static final int DATAGRAM_FIELDS = FIELDS | CompletionField.SOURCE_QUEUE_PAIR;
    static final int QUEUE_KEY = 0x1234_5678;
    static final int REGION_ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    final RdmaDevice device;
    final ProtectionDomain domain;
    final CompletionQueue sendQueue;
    final CompletionQueue receiveQueue;
    final QueuePair queuePair;
    final MemoryRegion region;
    final UnsafeBuffer buffer;
    private final boolean ownsSendQueue;
    private final boolean ownsReceiveQueue;
    private final int access;

    Endpoint(final RdmaDevice device, final ProtectionDomain domain, final EndpointOptions options) {
        this.device = device;
        this.domain = domain;
        access = options.access;
        ownsSendQueue = options.sendQueue == null;
        ownsReceiveQueue = options.receiveQueue == null;
        sendQueue = ownsSendQueue ? newQueue(options.sendWork, null, FIELDS) : options.sendQueue;
        receiveQueue = ownsReceiveQueue ? newQueue(options.receiveWork, options.channel,
            options.type == QueuePairType.UNRELIABLE_DATAGRAM ? DATAGRAM_FIELDS : FIELDS) : options.receiveQueue;
        queuePair = newQueuePair(options);
        region = domain.allocateRegion(options.regionLength, options.regionAccess);
        buffer = region.buffer();
    }

    /** A device does not close below queues that are left when it has refused their queue pair. */
    private QueuePair newQueuePair(final EndpointOptions options) {
        try {
            return domain.createQueuePair(new QueuePairAttributes(
                sendQueue, receiveQueue, options.sendWork, options.receiveWork, inlineData(options),
                options.rnrRetryCount, options.minRnrTimerCode, options.retryCount, options.ackTimeoutCode)
                .withReadAtomic(options.maxReadAtomic, options.maxDestinationReadAtomic)
                .withSharedReceiveQueue(options.sharedQueue).withType(options.type));
        } catch (final VerbsException e) {
            closeOwnQueues();
            throw e;
        }
    }

    private int inlineData(final EndpointOptions options) {
        return options.inlineData == EndpointOptions.INLINE
            ? Math.min(EndpointOptions.INLINE, device.attributes().maxInlineData()) : options.inlineData;
    }

    private CompletionQueue newQueue(final int work, final CompletionChannel channel, final int fields) {
        return device.createCompletionQueue(new CompletionQueueAttributes(2 * work, fields, channel));
    }

    void initialise() {
        queuePair.initialise(access);
    }

    /** Opens the endpoint for datagrams, from RESET to READY_TO_SEND. */
    void openForDatagrams() {
        queuePair.initialiseDatagrams(QUEUE_KEY);
        queuePair.readyToReceiveDatagrams();
        queuePair.readyToSend();
    }

    void connectTo(final byte[] address) {
        queuePair.readyToReceive(address);
        queuePair.readyToSend();
    }

    static void connect(final Endpoint left, final Endpoint right) {
        left.initialise();
        right.initialise();
        left.connectTo(right.queuePair.localAddress());
        right.connectTo(left.queuePair.localAddress());
    }

    long address(final int offset) {
        return region.address() + offset;
    }

    int write(final long id, final int flags, final int offset, final int length, final Endpoint to) {
        return queuePair.postWrite(
            id, flags, address(offset), region.localKey(), length, to.address(offset), to.region.remoteKey());
    }

    int writeImmediate(
        final long id, final int flags, final int offset, final int length, final Endpoint to, final int immediate) {
        return queuePair.postWriteWithImmediate(id, flags, address(offset), region.localKey(), length,
            to.address(offset), to.region.remoteKey(), immediate);
    }

    int send(final long id, final int flags, final int offset, final int length) {
        return queuePair.postSend(id, flags, address(offset), region.localKey(), length);
    }

    /** Send a datagram to where the handle leads. */
    int sendTo(
        final long id, final int flags, final int offset, final int length, final AddressHandle handle,
        final Endpoint to) {
        return queuePair.postSendTo(
            id, flags, address(offset), region.localKey(), length, handle, to.queuePair.number(), QUEUE_KEY);
    }

    int receive(final long id, final int offset, final int length) {
        return queuePair.postReceive(id, address(offset), region.localKey(), length);
    }

    /** Fill a range with bytes that depend on a seed. */
    void fill(final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            buffer.putByte(offset + i, pattern(seed, i));
        }
    }

    /** Whether a range holds what {@link #fill} puts there. */
    boolean holds(final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) != pattern(seed, i)) {
                return false;
            }
        }
        return true;
    }

    boolean isZero(final int offset, final int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) != 0) {
                return false;
            }
        }
        return true;
    }

    private static byte pattern(final int seed, final int index) {
        return (byte) (seed * 31 + index * 7 + 1);
    }

    @Override
    public void close() {
        queuePair.close();
        closeOwnQueues();
        region.close();
    }

    private void closeOwnQueues() {
        if (ownsSendQueue) {
            sendQueue.close();
        }
        if (ownsReceiveQueue) {
            receiveQueue.close();
        }
    }
}
