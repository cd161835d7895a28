package io.sluice.samples.selftest;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SendChain;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.WorkFlags;
import org.agrona.CloseHelper;

/** Two connected queue pairs: the first writes with immediate data into the second's region, to the same offsets. */
final class ConnectedLoop extends Loop {
    private static final int RNR_TIMER_640_US = 12;
    private static final int RETRIES = 7;
    private static final int ACK_TIMEOUT_67_MS = 14;
    private static final int MOST_READS = 16;
    private static final int READS = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** The shared receive queue; null unless it is asked for. */
    SharedReceiveQueue shared;

    private ConnectedLoop(final RdmaDevice device, final LoopOptions options) {
        super(device, options);
    }

    /** Two queue pairs that are connected; whoever asked for more than those of the loop closes them before it. */
    record Pair(QueuePair first, QueuePair second) implements AutoCloseable {
        @Override
        public void close() {
            CloseHelper.closeAll(first, second);
        }
    }

    /** A loop whose queue of sends has a capacity. */
    static ConnectedLoop open(final RdmaDevice device, final int capacity) {
        return open(device, LoopOptions.DEFAULT.withCapacity(capacity));
    }

    static ConnectedLoop open(final RdmaDevice device, final LoopOptions options) {
        return connected(new ConnectedLoop(device, options));
    }

    @Override
    void connect() {
        if (options.sharedReceives() > 0) {
            shared = domain.createSharedReceiveQueue(options.sharedReceives());
        }
        first = queuePair(sends, returns, options.sendWork(), null);
        second = queuePair(returns, receives, WORK, shared);
        join(first, second);
    }

    /** Another pair that completes where that of the loop does. */
    Pair newPair() {
        final QueuePair sender = queuePair(sends, returns, options.sendWork(), null);
        QueuePair receiver = null;
        try {
            receiver = queuePair(returns, receives, WORK, shared);
            join(sender, receiver);
            return new Pair(sender, receiver);
        } catch (final RuntimeException e) {
            CloseHelper.closeAll(sender, receiver);
            throw e;
        }
    }

    private void join(final QueuePair sender, final QueuePair receiver) {
        sender.initialise(AccessFlags.LOCAL_WRITE);
        receiver.initialise(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | options.remoteAccess());
        sender.readyToReceive(receiver.localAddress());
        receiver.readyToReceive(sender.localAddress());
        sender.readyToSend();
        receiver.readyToSend();
    }

    private QueuePair queuePair(
        final CompletionQueue sendQueue,
        final CompletionQueue receiveQueue,
        final int work,
        final SharedReceiveQueue sharedQueue) {
        final QueuePairAttributes plain = new QueuePairAttributes(sendQueue, receiveQueue, work, WORK,
            device.attributes().maxInlineData(), RETRIES, RNR_TIMER_640_US, RETRIES, ACK_TIMEOUT_67_MS);
        final QueuePairAttributes attributes =
            (options.remoteAccess() & READS) == 0 ? plain : plain.withReadAtomic(reads(), reads());
        return domain.createQueuePair(
            sharedQueue == null ? attributes : attributes.withSharedReceiveQueue(sharedQueue));
    }

    /** READs and atomics that may be under way. */
    int reads() {
        final DeviceAttributes limits = device.attributes();
        return Math.min(MOST_READS, Math.min(limits.maxReadAtomic(), limits.maxDestinationReadAtomic()));
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

    /** Read a range of the target into the source, to the same offset; the number is its id. */
    void read(final int offset, final int length, final int number) {
        require("ibv_post_send of a READ", first.postRead(number, WorkFlags.SIGNALED, source.address() + offset,
            source.localKey(), length, target.address() + offset, target.remoteKey()));
    }

    /** Prepare what {@link #send} posts; {@link Errno#ENOMEM} when the chain is full. */
    int prepare(final SendChain chain, final int flags, final int offset, final int length, final int number) {
        return chain.addWriteWithImmediate(number, flags, source.address() + offset, source.localKey(), length,
            target.address() + offset, target.remoteKey(), number);
    }

    @Override
    public void close() {
        // regions and queues after the queue pairs, and the shared receives before the domain of which they are
        CloseHelper.closeAll(first, second, shared, super::close);
    }
}
