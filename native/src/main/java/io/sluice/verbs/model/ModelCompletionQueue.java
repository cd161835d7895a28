package io.sluice.verbs.model;

import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.rdma.generated.ibv_cq;
import io.sluice.verbs.rdma.generated.ibv_cq_ex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** A completion queue. Guarded by the fabric's monitor. */
final class ModelCompletionQueue {
    /** States of arming: none, {@code ibv_req_notify_cq} for any completion, or for a solicited one. */
    static final int NOT_ARMED = 0;
    static final int ARMED = 1;
    static final int ARMED_FOR_SOLICITED = 2;

    final MemorySegment memory = Arena.ofAuto().allocate(ibv_cq_ex.layout());
    final ModelContext context;
    final int number;
    final int flags;
    /** The channel of the queue's events; null when the queue announces nothing. */
    final ModelChannel<ModelCompletionQueue> channel;
    final Deque<Entry> entries = new ArrayDeque<>();
    final ModelLock lock;
    int capacity;
    /** The one that readers read. */
    Entry current;
    /** Entries of the running batch, which the device has back at its end. */
    int taken;
    boolean isInBatch;
    boolean hasOverrun;
    int armed;
    /** The number of armings since a completion was polled. */
    int armings;
    int unacknowledged;
    int users;
    /** Queue pairs of it that are being destroyed. */
    int leaving;

    ModelCompletionQueue(
        final ModelContext context,
        final int number,
        final int capacity,
        final int flags,
        final ModelChannel<ModelCompletionQueue> channel) {
        this.context = context;
        this.number = number;
        this.flags = flags;
        this.channel = channel;
        lock = new ModelLock("completion queue " + number);
        resize(capacity);
    }

    void resize(final int entryCount) {
        capacity = entryCount;
        ibv_cq.cqe(memory.asSlice(0, ibv_cq.sizeof()), entryCount);
    }

    long address() {
        return memory.address();
    }

    boolean isSingleThreaded() {
        return (flags & CompletionQueueFlags.SINGLE_THREADED) != 0;
    }

    boolean ignoresOverrun() {
        return (flags & CompletionQueueFlags.IGNORE_OVERRUN) != 0;
    }
}
