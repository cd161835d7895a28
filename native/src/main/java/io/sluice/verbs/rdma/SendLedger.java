package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.CompletionBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.BitUtil;

/**
 * Sends that a device may still have of one queue pair, or its READs. Requests that are built call by call need it: a
 * full queue is not refused before the first of these calls, and on mlx5 the calls then overwrite the request that was
 * posted last. READs of mana need it, which calls those invalid for which their ring has no place. One thread posts;
 * the poller of the completion queue tells what has completed. A completion says that its request is done, and so are
 * those before it. What a failed queue pair flushes is counted where only sends complete.
 */
final class SendLedger {
    private static final VarHandle COMPLETED;

    static {
        try {
            COMPLETED = MethodHandles.lookup().findVarHandle(SendLedger.class, "completed", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int capacity;
    private final boolean isOfSendsOnly;
    private volatile boolean isLost;
    /**
     * The numbers of sends that had been posted with each one that is signalled, as a ring. The device is asked whether
     * a send fits when it is noted here already, and the poller reads meanwhile what was noted with the oldest: so the
     * ring has room for all that a device may have, which some (mana) round up to a power of two, and a whole chain
     * beyond, which is refused. Of what it has given to the poller a batch may not have been looked at yet.
     */
    private final AtomicLongArray signalled;
    private final int mask;
    private long posted;
    private long signalledPosts;
    /** The poller's. */
    private long signalledCompletions;
    private long completed;

    /**
     * Create the ledger of an empty queue.
     *
     * @param capacity      sends that fit.
     * @param isOfSendsOnly whether receives of the queue pair complete elsewhere: of a failure nothing else tells.
     */
    SendLedger(final int capacity, final boolean isOfSendsOnly) {
        this(capacity, capacity, isOfSendsOnly);
    }

    /**
     * Create the ledger of an empty queue, where not all sends count.
     *
     * @param capacity      those that count, as many as fit.
     * @param sends         of any kind that fit.
     * @param isOfSendsOnly as above.
     */
    SendLedger(final int capacity, final int sends, final boolean isOfSendsOnly) {
        this.capacity = capacity;
        this.isOfSendsOnly = isOfSendsOnly;
        final int length = BitUtil.findNextPositivePowerOfTwo(
            2 * BitUtil.findNextPositivePowerOfTwo(sends) + CompletionBatch.CAPACITY);
        signalled = new AtomicLongArray(length);
        mask = length - 1;
    }

    /** Whether so many more fit. Posting thread. */
    boolean hasRoom(final int count) {
        return posted + count - (long) COMPLETED.getAcquire(this) <= capacity;
    }

    /**
     * The answer where there is no room. A failed queue pair whose receives complete in the same queue is told of no
     * place any more, and who waits for one would do so for ever.
     */
    int refusal() {
        return isLost ? Errno.EINVAL : Errno.ENOMEM;
    }

    /** Notes that the queue pair is in the ERROR state, and stays there. Any thread. */
    void onQueuePairFailed() {
        isLost = !isOfSendsOnly;
    }

    /** Notes that a request is posted next; before the device knows, which may complete it at once. Posting thread. */
    void onPosting(final int flags) {
        onPosting(flags, 1);
    }

    /**
     * Notes that a request that counts as a weight, 1 or 0, is posted next; before the device knows. Posting thread.
     */
    void onPosting(final int flags, final int weight) {
        posted += weight;
        if ((flags & WorkFlags.SIGNALED) != 0) {
            signalled.setRelease((int) signalledPosts++ & mask, posted);
        }
    }

    /** Notes that the request that was posted last was refused. Posting thread. */
    void onRefused(final int flags) {
        onRefused(flags, 1);
    }

    /** Notes that the request that was posted last was refused; it had counted as a weight, 1 or 0. Posting thread. */
    void onRefused(final int flags, final int weight) {
        posted -= weight;
        if ((flags & WorkFlags.SIGNALED) != 0) {
            signalledPosts--;
        }
    }

    /** Notes that a request has failed, or was flushed, as each one after it will be. Poller. */
    void onFailed() {
        if (isOfSendsOnly) {
            COMPLETED.setRelease(this, completed + 1);
        }
    }

    /** Notes that a signalled request has completed. Poller. */
    void onCompleted() {
        COMPLETED.setRelease(this, signalled.getAcquire((int) signalledCompletions++ & mask));
    }
}
