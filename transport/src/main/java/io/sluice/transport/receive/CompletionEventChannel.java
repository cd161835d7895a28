package io.sluice.transport.receive;

import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.RdmaDevice;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The completion channel of a poller on one device. Events say only that the poller is to look; it takes them when it
 * is about to sleep, and they are acknowledged in batches, the rest before their queue is destroyed: a destruction
 * waits for what was taken and not acknowledged. The poller waits and takes; any thread wakes, makes queues and closes
 * them. Owned by whoever owns the poller.
 */
public final class CompletionEventChannel implements AutoCloseable {
    /** The number of events that are acknowledged together: they share the price of a mutex of the library. */
    static final int ACKNOWLEDGE_BATCH = 64;

    private final RdmaDevice device;
    private final CompletionChannel channel;
    /** Lock held while events are taken and while a queue is destroyed; the poller never waits for it. */
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<CompletionQueue, Unacknowledged> queues = new IdentityHashMap<>();

    /**
     * A channel without queues.
     *
     * @param device to make it on.
     * @throws io.sluice.verbs.VerbsException when the device refuses.
     */
    CompletionEventChannel(final RdmaDevice device) {
        this.device = device;
        channel = device.createCompletionChannel();
    }

    boolean isOn(final RdmaDevice other) {
        return device == other;
    }

    /**
     * Make a queue that announces its completions here. Any thread.
     *
     * @param capacity completions that must fit.
     * @param fields   readable ones.
     * @return the queue, to be closed by {@link #close(CompletionQueue)}.
     * @throws io.sluice.verbs.VerbsException when the device refuses.
     */
    public CompletionQueue createQueue(final int capacity, final int fields) {
        final CompletionQueue queue =
            device.createCompletionQueue(new CompletionQueueAttributes(capacity, fields, channel));
        lock.lock();
        try {
            queues.put(queue, new Unacknowledged());
        } finally {
            lock.unlock();
        }
        return queue;
    }

    /**
     * Acknowledge what is left and destroy a queue, which the poller does not poll any more. May block.
     *
     * @param queue that was made here.
     * @throws io.sluice.verbs.VerbsException when the device refuses; the queue can be closed again then.
     */
    public void close(final CompletionQueue queue) {
        // no event of the queue can be taken between its last acknowledgement and its end
        lock.lock();
        try {
            final Unacknowledged events = queues.get(queue);
            if (events != null && events.count > 0) {
                queue.acknowledgeEvents(events.count);
                events.count = 0;
            }
            queue.close();
            // not before: one that is refused has events to be acknowledged still
            queues.remove(queue);
        } finally {
            lock.unlock();
        }
    }

    /** Take what was announced so far; nothing while a queue is being destroyed. Poller thread; never waits. */
    void take() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            CompletionQueue queue = channel.getEvent(0);
            while (queue != null) {
                onEvent(queue);
                queue = channel.getEvent(0);
            }
        } finally {
            lock.unlock();
        }
    }

    private void onEvent(final CompletionQueue queue) {
        final Unacknowledged events = queues.get(queue);
        if (events != null && ++events.count == ACKNOWLEDGE_BATCH) {
            queue.acknowledgeEvents(ACKNOWLEDGE_BATCH);
            events.count = 0;
        }
    }

    /** Wait for an event or a wake-up; may return early. Poller thread. */
    void await(final long timeoutNs) {
        channel.await(timeoutNs);
    }

    /** End the current wait or the next one. Any thread. */
    void wake() {
        channel.wake();
    }

    @Override
    public void close() {
        channel.close();
    }

    private static final class Unacknowledged {
        private int count;
    }
}
