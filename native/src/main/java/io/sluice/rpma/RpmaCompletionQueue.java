package io.sluice.rpma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.foreign.Guard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.function.IntSupplier;
import org.agrona.UnsafeApi;

/**
 * A completion queue of librpma, rpma_conn_get_cq(3), rpma_conn_get_rcq(3), rpma_srq_get_rcq(3). It is polled as the
 * manual page of rpma_cq_get_wc(3) has it, or by {@link #startPoll()} and what follows, as every
 * {@link CompletionQueue}. One thread at a time polls, and one at a time waits. It lives as long as its connection or
 * shared receive queue. Polling allocates nothing.
 * <p>
 * The library arms a queue when it makes it and in {@link #await}, for the next completion: so whoever waits polls
 * until the queue is empty before he waits again. An event may come without a completion.
 */
public final class RpmaCompletionQueue extends CompletionQueue {
    /** An error of the provider, which tells no number here. */
    private static final int EIO = 5;

    private final NativePeer peer;
    private final RpmaCalls calls;
    private final long handle;
    private final int capacity;
    private final int descriptor;
    /** The wait for events; null when the connection waits instead. */
    private final EventWait events;
    private final boolean isShared;
    private final Guard guard = new Guard();
    private final CompletionBatch batch = new CompletionBatch(WorkCompletions.FIELDS);
    /** The memory where the library counts. */
    private final MemorySegment countMemory = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    private final long countAddress = countMemory.address();
    /** The wait for an event, kept so that a wait allocates nothing. */
    private final IntSupplier cqWait = this::takeEvent;
    private volatile boolean isShut;

    RpmaCompletionQueue(final NativePeer peer, final long handle, final int capacity, final boolean isShared) {
        this.peer = peer;
        this.handle = handle;
        this.capacity = capacity;
        this.isShared = isShared;
        final RpmaLibrary library = peer.library();
        calls = library.calls();
        descriptor = library.number(library.cqGetFd, handle);
        events = isShared ? null : new EventWait(peer.objects().environment(), descriptor);
    }

    long handle() {
        return handle;
    }

    /**
     * Take completions, rpma_cq_get_wc(3): one call of {@code ibv_poll_cq}.
     *
     * @param limit       of completions, 1 to the capacity of {@code completions}.
     * @param completions that takes the records; of failed ones only its work request id, status, queue pair number and
     *                    vendor error are valid.
     * @return completions taken, from the first record on; or one of {@link RpmaError}: E_NO_COMPLETION when there is
     * none, E_INVAL for a bad argument or a closed queue, E_PROVIDER when {@code ibv_poll_cq} has failed, E_UNKNOWN
     * when it took more than it should.
     */
    public int getCompletions(final int limit, final WorkCompletions completions) {
        if (completions == null || limit > completions.capacity()) {
            return RpmaError.E_INVAL;
        }
        try {
            return take(limit, completions.address());
        } finally {
            // nothing else holds the memory that native code writes to
            Reference.reachabilityFence(completions);
        }
    }

    /**
     * Take one completion, rpma_cq_get_wc(3) without a count.
     *
     * @param completions whose first record takes it.
     * @return 0, or an error as of {@link #getCompletions}.
     */
    public int getCompletion(final WorkCompletions completions) {
        if (completions == null) {
            return RpmaError.E_INVAL;
        }
        guard.enter();
        try {
            return isShut ? RpmaError.E_INVAL : calls.getWc(handle, 1, completions.address(), 0);
        } finally {
            guard.leave();
            Reference.reachabilityFence(completions);
        }
    }

    private int take(final int limit, final long completions) {
        guard.enter();
        try {
            if (isShut) {
                return RpmaError.E_INVAL;
            }
            final int result = calls.getWc(handle, limit, completions, countAddress);
            return result == RpmaError.OK ? UnsafeApi.getInt(countAddress) : result;
        } finally {
            guard.leave();
        }
    }

    /**
     * Wait for a completion, rpma_cq_wait(3), which acknowledges the event and arms the queue again. Poll until the
     * queue is empty before the next wait.
     *
     * @param timeoutNs longest wait; 0 or less does not wait.
     * @return 0 when there was an event; or one of {@link RpmaError}: E_NO_COMPLETION after the timeout, when the
     * thread is interrupted and when somebody woke it, E_SHARED_CHANNEL when the connection waits instead, E_PROVIDER
     * when the queue cannot be armed, E_INVAL when it is closed.
     */
    public int await(final long timeoutNs) {
        return isShared
            ? isShut ? RpmaError.E_INVAL : RpmaError.E_SHARED_CHANNEL
            : events.await(timeoutNs, RpmaError.E_NO_COMPLETION, cqWait);
    }

    private int takeEvent() {
        return calls.cqWait(handle);
    }

    /** End the wait of {@link #await}, or the next one. Any thread. */
    public void wake() {
        if (!isShared) {
            events.wake();
        }
    }

    /**
     * The descriptor that is readable when there is an event, rpma_cq_get_fd(3), for epoll(7) and the like;
     * non-blocking, and not to be read or closed. Of a shared channel it is the connection's.
     *
     * @return a file descriptor of the channel.
     * @throws RpmaException E_INVAL when the queue is closed.
     */
    public int descriptor() {
        if (isShut) {
            throw new RpmaException(
                peer.library().cqGetFd.name(), RpmaError.E_INVAL, Errno.OK, "the completion queue is closed");
        }
        return descriptor;
    }

    @Override
    public int startPoll() {
        batch.checkEnded();
        final int result = isShut ? Errno.EINVAL : batch.isDrained() ? fill() : Errno.OK;
        if (result == Errno.OK) {
            batch.start();
        }
        return result;
    }

    @Override
    public int nextPoll() {
        if (batch.next()) {
            return Errno.OK;
        }
        return batch.isShort() || isShut ? Errno.ENOENT : fill();
    }

    private int fill() {
        final int taken = take(CompletionBatch.CAPACITY, batch.address());
        if (taken > 0) {
            batch.fill(taken);
            return Errno.OK;
        }
        return taken == RpmaError.E_NO_COMPLETION ? Errno.ENOENT : taken == RpmaError.E_INVAL ? Errno.EINVAL : EIO;
    }

    @Override
    public void endPoll() {
        batch.end();
    }

    @Override
    public long workRequestId() {
        return batch.workRequestId();
    }

    @Override
    public int status() {
        return batch.status();
    }

    @Override
    public int opcode() {
        return batch.opcode();
    }

    @Override
    public int vendorError() {
        return batch.vendorError();
    }

    @Override
    public int flags() {
        return batch.flags();
    }

    @Override
    public int byteLength() {
        return batch.byteLength();
    }

    @Override
    public int immediateData() {
        return batch.immediateData();
    }

    @Override
    public int invalidatedKey() {
        return batch.invalidatedKey();
    }

    @Override
    public int queuePairNumber() {
        return batch.queuePairNumber();
    }

    @Override
    public int sourceQueuePair() {
        return batch.sourceQueuePair();
    }

    @Override
    public int sourceLid() {
        return batch.sourceLid();
    }

    @Override
    public int serviceLevel() {
        return batch.serviceLevel();
    }

    @Override
    public int destinationPathBits() {
        return batch.destinationPathBits();
    }

    @Override
    public int partitionKeyIndex() {
        return batch.partitionKeyIndex();
    }

    @Override
    public int fields() {
        return WorkCompletions.FIELDS;
    }

    /** The capacity that was asked for; librpma does not tell what the device has granted. */
    @Override
    public int capacity() {
        return isShut ? 0 : capacity;
    }

    /**
     * Refuses, since librpma has no such call.
     *
     * @throws VerbsException EOPNOTSUPP always.
     */
    @Override
    public void resize(final int newCapacity) {
        throw new VerbsException("ibv_resize_cq", Errno.EOPNOTSUPP,
            "librpma does not resize: configure completionQueueSize=" + newCapacity);
    }

    /**
     * Refuses, since librpma arms a queue when it makes it and in {@link #await}, and at no other time.
     *
     * @return EOPNOTSUPP always.
     */
    @Override
    public int requestNotify(final boolean solicitedOnly) {
        return Errno.EOPNOTSUPP;
    }

    /**
     * Refuses, since librpma acknowledges each event when it is waited for: there is never one left.
     *
     * @throws IllegalArgumentException always.
     */
    @Override
    public void acknowledgeEvents(final int count) {
        throw new IllegalArgumentException("count=" + count + ": librpma has acknowledged all events");
    }

    /** Does nothing: the queue is its connection's, or its shared receive queue's, and goes with it. */
    @Override
    public void close() {
        // the owner closes it
    }

    /** Let nobody in any more, and wait until nobody is inside. The owner is about to delete it. */
    void shut(final String call) {
        isShut = true;
        if (events != null) {
            events.shut();
            Guard.awaitClear(peer.objects().environment(), call, "a completion queue", guard, events.guard());
        } else {
            Guard.awaitClear(peer.objects().environment(), call, "a completion queue", guard);
        }
    }

    /** Lets go of what this holds, when the owner has deleted the queue. */
    void release() {
        if (events != null) {
            events.close();
        }
    }
}
