package io.sluice.verbs;

/** The options by which an {@link Endpoint} is made; the defaults suit most tests. */
final class EndpointOptions {
    /** Inline bytes that are had where the device has so many. */
    static final int INLINE = 64;
    /** Code of the acknowledgement timeout; a machine that is emulated, and busy besides, needs a longer one. */
    private static final int ACK_TIMEOUT_CODE = Integer.parseInt(System.getProperty("sluice.verbs.ack.timeout", "14"));

    int sendWork = 16;
    int receiveWork = 16;
    int inlineData = INLINE;
    int rnrRetryCount;
    int minRnrTimerCode = 12;
    int retryCount = 6;
    int ackTimeoutCode = ACK_TIMEOUT_CODE;
    int regionLength = 64 * 1024;
    int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    int regionAccess = Endpoint.REGION_ACCESS;
    int maxReadAtomic = 1;
    int maxDestinationReadAtomic = 1;
    CompletionQueue sendQueue;
    CompletionQueue receiveQueue;
    CompletionChannel channel;
    SharedReceiveQueue sharedQueue;
    QueuePairType type = QueuePairType.RELIABLE_CONNECTED;

    EndpointOptions sendWork(final int count) {
        sendWork = count;
        return this;
    }

    EndpointOptions receiveWork(final int count) {
        receiveWork = count;
        return this;
    }

    EndpointOptions inlineData(final int length) {
        inlineData = length;
        return this;
    }

    EndpointOptions rnrRetryCount(final int count) {
        rnrRetryCount = count;
        return this;
    }

    EndpointOptions minRnrTimerCode(final int code) {
        minRnrTimerCode = code;
        return this;
    }

    EndpointOptions retryCount(final int count) {
        retryCount = count;
        return this;
    }

    EndpointOptions ackTimeoutCode(final int code) {
        ackTimeoutCode = code;
        return this;
    }

    EndpointOptions regionLength(final int length) {
        regionLength = length;
        return this;
    }

    /** Access that the queue pair grants its peer. */
    EndpointOptions access(final int flags) {
        access = flags;
        return this;
    }

    /** Access that both queue pair and region grant the peer. */
    EndpointOptions grants(final int flags) {
        access = flags;
        regionAccess = flags;
        return this;
    }

    /** READs and atomics at a time. */
    EndpointOptions reads(final int outgoing, final int incoming) {
        maxReadAtomic = outgoing;
        maxDestinationReadAtomic = incoming;
        return this;
    }

    /** Completion queues of the caller, instead of own ones. */
    EndpointOptions queues(final CompletionQueue send, final CompletionQueue receive) {
        sendQueue = send;
        receiveQueue = receive;
        return this;
    }

    /** Sets the queue that the receives are taken from. */
    EndpointOptions sharedQueue(final SharedReceiveQueue queue) {
        sharedQueue = queue;
        return this;
    }

    /** Makes the endpoint one that nobody connects: {@link Endpoint#openForDatagrams()}. */
    EndpointOptions datagrams() {
        type = QueuePairType.UNRELIABLE_DATAGRAM;
        return this;
    }

    /** Channel of the own receive completion queue. */
    EndpointOptions channel(final CompletionChannel eventChannel) {
        channel = eventChannel;
        return this;
    }
}
