package io.sluice.transport.harness;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Listener;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A device whose first completion queues of some kind are not what was asked for: what takes care that queues do not
 * overrun is bypassed. Over any device; queues of a channel are left alone.
 */
public final class UndersizedQueues implements RdmaDevice {
    /** The kind of completions whose queues are too small. */
    public enum Kind {
        /** The queue in which receives of data complete. */
        RECEIVES(CompletionField.IMMEDIATE),
        /** The queue in which writes complete, of data or of feedback. */
        WRITES(0),
        /** The queue in which control messages complete, those sent first. */
        CONTROL(CompletionField.BYTE_LENGTH);

        private final int fields;

        Kind(final int fields) {
            this.fields = fields;
        }
    }

    /** The behaviour of these queues. */
    public enum Manner {
        /** Queues that have less room than they say. */
        LYING,
        /** Queues that lie so, and seem empty until they have overrun, as when they are polled too late. */
        LATE,
        /** Queues that have less room than was asked for, say so and do not grow. */
        HONEST,
        /** Queues that are as asked for, and that the device refuses to make larger. */
        FIXED,
        /** Queues that are as asked for, and seem empty until {@link #release()}. */
        HELD
    }

    private final RdmaDevice device;
    private final Kind kind;
    private final Manner manner;
    private final int capacity;
    private final AtomicInteger left;
    private final Map<CompletionQueue, SmallQueue> queues = new ConcurrentHashMap<>();

    /**
     * A device over another one, which it closes.
     *
     * @param capacity of the small queues.
     * @param count    how many queues of the kind they are, the first ones.
     */
    public UndersizedQueues(
        final RdmaDevice device, final Kind kind, final Manner manner, final int capacity, final int count) {
        this.device = device;
        this.kind = kind;
        this.manner = manner;
        this.capacity = capacity;
        left = new AtomicInteger(count);
    }

    private static CompletionQueue actual(final CompletionQueue queue) {
        return queue instanceof final SmallQueue small ? small.actual() : queue;
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return device.attributes();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return new Domain(device.allocateProtectionDomain());
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return device.createCompletionChannel();
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        if (attributes.fields() != kind.fields || attributes.channel() != null || left.getAndDecrement() <= 0) {
            return device.createCompletionQueue(attributes);
        }
        final CompletionQueue small = device.createCompletionQueue(manner == Manner.HELD || manner == Manner.FIXED
            ? attributes : new CompletionQueueAttributes(capacity, attributes.fields(), null));
        final SmallQueue queue =
            new SmallQueue(small, manner == Manner.HONEST ? capacity : attributes.capacity(), manner);
        queues.put(small, queue);
        return queue;
    }

    /** Let them seem empty until they have overrun. Any thread. */
    public void hold() {
        queues.values().forEach(SmallQueue::hide);
    }

    /** Let what was held be seen. Any thread. */
    public void release() {
        queues.values().forEach(SmallQueue::show);
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        return device.listen(address, backlog);
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        return device.connect(address, queuePair, privateData, timeoutNs);
    }

    @Override
    public List<String> listeners(final String service) {
        return device.listeners(service);
    }

    @Override
    public String missing() {
        return device.missing();
    }

    @Override
    public void restore() {
        device.restore();
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        return device.poll((type, queue, queuePair) -> {
            final SmallQueue small = queue == null ? null : queues.get(queue);
            if (small == null) {
                handler.onAsyncEvent(type, queue, queuePair);
                return;
            }
            if (type == AsyncEventType.CQ_ERR) {
                small.show();
            }
            handler.onAsyncEvent(type, small, queuePair);
        });
    }

    @Override
    public void close() {
        device.close();
    }

    /** A protection domain whose queue pairs complete at the device's own queues. */
    private record Domain(ProtectionDomain domain) implements ProtectionDomain {
        @Override
        public MemoryRegion allocateRegion(final long length, final int access) {
            return domain.allocateRegion(length, access);
        }

        @Override
        public MemoryRegion registerForSends(final MemoryRegion region) {
            return domain.registerForSends(region);
        }

        @Override
        public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
            return domain.openShared(shareToken, length, access);
        }

        @Override
        public QueuePair createQueuePair(final QueuePairAttributes attributes) {
            return domain.createQueuePair(new QueuePairAttributes(
                actual(attributes.sendQueue()), actual(attributes.receiveQueue()), attributes.maxSendWork(),
                attributes.maxReceiveWork(), attributes.maxInlineData(), attributes.rnrRetryCount(),
                attributes.minRnrTimerCode(), attributes.retryCount(), attributes.ackTimeoutCode()));
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
            return domain.createSharedReceiveQueue(maxWork);
        }

        @Override
        public ProtectionDomain allocateParentDomain() {
            return domain.allocateParentDomain();
        }

        @Override
        public void close() {
            domain.close();
        }
    }
}
