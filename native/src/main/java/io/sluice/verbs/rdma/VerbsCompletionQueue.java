package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_cq;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;

/** What the two interfaces to a completion queue have in common: its life, its size and its events. */
abstract class VerbsCompletionQueue extends CompletionQueue {
    private final VerbsDevice device;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger unacknowledged = new AtomicInteger();
    private final long requestNotify;
    private final Guard armGuard = new Guard();
    private boolean isDestroyed;

    /** Address of the {@code ibv_cq}, which begins an {@code ibv_cq_ex}, too. */
    final long handle;
    final int fields;
    final Guard guard = new Guard();
    /** Closed, or dead by an overrun. */
    volatile boolean isShut;

    VerbsCompletionQueue(
        final VerbsDevice device, final long handle, final int fields, final long requestNotify) {
        this.device = device;
        this.handle = handle;
        this.fields = fields;
        this.requestNotify = requestNotify;
    }

    @Override
    public final int fields() {
        return fields;
    }

    @Override
    public final int capacity() {
        return isDestroyed ? 0 : UnsafeApi.getInt(handle + ibv_cq.cqe$offset());
    }

    @Override
    public final synchronized void resize(final int capacity) {
        checkCapacity(capacity);
        if (isShut) {
            throw new VerbsException("ibv_resize_cq", Errno.EINVAL, "the completion queue is closed or has overrun");
        }
        final int entries = Math.min(capacity + slack(), device.attributes().maxCompletionQueueEntries());
        device.verbs().resizeCq.check("capacity=" + capacity + " instead of " + capacity(), handle, entries);
    }

    /** Entries beyond what is asked for, for those of a running batch, which the device does not have back yet. */
    int slack() {
        return 0;
    }

    private void checkCapacity(final int capacity) {
        final int max = device.attributes().maxCompletionQueueEntries();
        if (capacity < 1 || capacity > max) {
            throw new VerbsException(
                "ibv_resize_cq", Errno.EINVAL, "capacity=" + capacity + " is not in 1.." + max);
        }
    }

    @Override
    public final int requestNotify(final boolean solicitedOnly) {
        armGuard.enter();
        try {
            return isShut ? Errno.EINVAL : HotCalls.requestNotify(requestNotify, handle, solicitedOnly ? 1 : 0);
        } finally {
            armGuard.leave();
        }
    }

    /** An event of this queue was taken from the channel. */
    final void onEvent() {
        unacknowledged.incrementAndGet();
    }

    @Override
    public final void acknowledgeEvents(final int count) {
        if (count < 1 || count > unacknowledged.get()) {
            throw new IllegalArgumentException(
                "count=" + count + " is not in 1.." + unacknowledged.get() + ", the events not acknowledged yet");
        }
        device.verbs().ackCqEvents.invoke(handle, count);
        unacknowledged.addAndGet(-count);
    }

    /** A queue pair begins to use it. */
    final synchronized void attach() {
        if (isDestroyed) {
            throw new VerbsException("ibv_create_qp", Errno.EINVAL, "the completion queue is closed");
        }
        users.incrementAndGet();
    }

    final void detach() {
        users.decrementAndGet();
    }

    final VerbsDevice device() {
        return device;
    }

    /** The device says that it has overrun. */
    final void onOverrun() {
        isShut = true;
    }

    @Override
    public final synchronized void close() {
        if (isDestroyed) {
            return;
        }
        refuseWhile(users.get() > 0, users + " queue pair(s) still use it: close them first");
        refuseWhile(unacknowledged.get() > 0, unacknowledged + " event(s) are not acknowledged");
        isShut = true;
        device.remove(this);
        if (Guard.awaitClear(device.environment(), guard, armGuard)) {
            isDestroyed = true;
            device.verbs().destroyCq.check("a completion queue stays", handle);
        }
    }

    private static void refuseWhile(final boolean condition, final String why) {
        if (condition) {
            throw new VerbsException("ibv_destroy_cq", Errno.EBUSY, why);
        }
    }

    static IllegalStateException inBatch() {
        return new IllegalStateException("startPoll within a batch: endPoll has not been called");
    }

    static IllegalStateException notInBatch(final String call) {
        return new IllegalStateException(call + " outside a batch: startPoll has not succeeded");
    }

    static IllegalStateException notValid(final String field, final int status) {
        return new IllegalStateException(
            field + " is not valid: the completion's status is " + WorkStatus.name(status));
    }

    static IllegalStateException missing(final String field) {
        return notAskedFor(field);
    }
}
