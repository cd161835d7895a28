package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.foreign.Guard;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2ObjectHashMap;

/** The completion queues of a device that are not destroyed. Any thread may call. */
final class CompletionQueueTable implements CompletionQueueOwner {
    /** Room for completion queues before the table of them grows: most programs have fewer. */
    private static final int INITIAL_QUEUES = 16;

    private final QueuePairTable queuePairs;
    /**
     * The queues by their addresses, copied on every change: a thread that an event wakes looks there, and boxes
     * nothing.
     */
    private volatile Long2ObjectHashMap<VerbsCompletionQueue> byAddress = newQueues();

    /**
     * Create the table of a device.
     *
     * @param queuePairs of it.
     */
    CompletionQueueTable(final QueuePairTable queuePairs) {
        this.queuePairs = queuePairs;
    }

    /** One that many threads can iterate over at a time. */
    private static Long2ObjectHashMap<VerbsCompletionQueue> newQueues() {
        return new Long2ObjectHashMap<>(INITIAL_QUEUES, Hashing.DEFAULT_LOAD_FACTOR, false);
    }

    private synchronized void change(final Consumer<Long2ObjectHashMap<VerbsCompletionQueue>> change) {
        final Long2ObjectHashMap<VerbsCompletionQueue> changed = newQueues();
        changed.putAll(byAddress);
        change.accept(changed);
        byAddress = changed;
    }

    void add(final VerbsCompletionQueue queue) {
        change(changed -> changed.put(queue.handle, queue));
    }

    @Override
    public void onDestroyed(final long handle, final CompletionQueue queue) {
        change(changed -> changed.remove(handle, queue));
    }

    Iterable<VerbsCompletionQueue> all() {
        return byAddress.values();
    }

    /** The completion queue of an event; null for one that is being closed. */
    VerbsCompletionQueue find(final long handle) {
        final VerbsCompletionQueue found = byAddress.get(handle);
        return found == null || found.isClosing() ? null : found;
    }

    /** The queue of an event that was taken, which is told of it; null for one that is being closed. */
    CompletionQueue takenEvent(final long handle) {
        final VerbsCompletionQueue queue = find(handle);
        if (queue != null) {
            queue.onEvent();
        }
        return queue;
    }

    @Override
    public void choosePosts(final CompletionQueue queue) {
        queuePairs.choosePosts(queue);
    }

    @Override
    public Stream<Guard> postGuards(final CompletionQueue queue) {
        return queuePairs.postGuards(queue);
    }
}
