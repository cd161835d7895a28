package io.sluice.samples.selftest;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SendChain;

/** Two connected queue pairs: the first writes with immediate data into the second's region, to the same offsets. */
final class ConnectedLoop extends Loop {
    private static final int RNR_TIMER_640_US = 12;
    private static final int RETRIES = 7;
    private static final int ACK_TIMEOUT_67_MS = 14;

    private final int sendWork;

    private ConnectedLoop(final RdmaDevice device, final int capacity, final int flags, final int sendWork) {
        super(device, capacity, flags);
        this.sendWork = sendWork;
    }

    /**
     * A loop with queues of a capacity.
     *
     * @param capacity of the queue of sends.
     */
    static ConnectedLoop open(final RdmaDevice device, final int capacity) {
        return open(device, capacity, CompletionQueueFlags.NONE, WORK);
    }

    /**
     * A loop with flags of the queue of sends.
     *
     * @param capacity of the queue of sends.
     * @param flags    of it.
     * @param sendWork of the first queue pair.
     */
    static ConnectedLoop open(final RdmaDevice device, final int capacity, final int flags, final int sendWork) {
        return connected(new ConnectedLoop(device, capacity, flags, sendWork));
    }

    @Override
    void connect() {
        first = queuePair(sends, returns, sendWork);
        second = queuePair(returns, receives, WORK);
        first.initialise(AccessFlags.LOCAL_WRITE);
        second.initialise(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        first.readyToReceive(second.localAddress());
        second.readyToReceive(first.localAddress());
        first.readyToSend();
        second.readyToSend();
    }

    private QueuePair queuePair(
        final CompletionQueue sendQueue, final CompletionQueue receiveQueue, final int work) {
        return domain.createQueuePair(new QueuePairAttributes(sendQueue, receiveQueue, work, WORK,
            device.attributes().maxInlineData(), RETRIES, RNR_TIMER_640_US, RETRIES, ACK_TIMEOUT_67_MS));
    }

    @Override
    void expect(final int count) {
        require("ibv_post_recv", second.postReceives(0, count));
    }

    @Override
    int send(final int flags, final int offset, final int length, final int number) {
        return first.postWriteWithImmediate(number, flags, source.address() + offset, source.localKey(), length,
            target.address() + offset, target.remoteKey(), number);
    }

    /** Prepare what {@link #send} posts; {@link Errno#ENOMEM} when the chain is full. */
    int prepare(final SendChain chain, final int flags, final int offset, final int length, final int number) {
        return chain.addWriteWithImmediate(number, flags, source.address() + offset, source.localKey(), length,
            target.address() + offset, target.remoteKey(), number);
    }
}
