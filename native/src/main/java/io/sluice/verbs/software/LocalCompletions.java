package io.sluice.verbs.software;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.BitUtil;

/**
 * Completions of a queue pair's own sends, from the one thread that carries them out to the one that polls the send
 * completion queue. It cannot overflow: every entry holds a slot of the send queue that only polling the entry frees.
 */
final class LocalCompletions {
    private static final VarHandle PRODUCED;
    private static final VarHandle FREED;

    /** Work request id, verdict with the bytes fetched above it, slots covered, and one to align. */
    private static final int STRIDE_SHIFT = 2;
    private static final int VERDICT_OFFSET = 1;
    private static final int COVERED_OFFSET = 2;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            PRODUCED = lookup.findVarHandle(LocalCompletions.class, "produced", long.class);
            FREED = lookup.findVarHandle(LocalCompletions.class, "freed", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] entries;
    private final int mask;
    private long produced;
    private long consumed;
    private long producedCached;
    private long freed;

    LocalCompletions(final int maxSendWork) {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(maxSendWork);
        entries = new long[capacity << STRIDE_SHIFT];
        mask = capacity - 1;
    }

    /**
     * Producer: add a completion.
     *
     * @param workRequestId of the request.
     * @param verdict       see {@link QueuePairLayout#verdict}; the upper half is the bytes that were fetched.
     * @param covered       requests posted up to and with this one: the slots that polling it frees.
     */
    void offer(final long workRequestId, final long verdict, final long covered) {
        final long index = produced;
        final int slot = (int) (index & mask) << STRIDE_SHIFT;
        entries[slot] = workRequestId;
        entries[slot + VERDICT_OFFSET] = verdict;
        entries[slot + COVERED_OFFSET] = covered;
        PRODUCED.setRelease(this, index + 1);
    }

    /**
     * Consumer: make the next completion the current one of a queue.
     *
     * @param queue   that is polled.
     * @param numbers of the queue pair, see {@link QueuePairNumbers#both()}.
     * @return false when there is none.
     */
    boolean poll(final PolledCompletionQueue queue, final long numbers) {
        final long index = consumed;
        if (index == producedCached) {
            producedCached = (long) PRODUCED.getAcquire(this);
            if (index == producedCached) {
                return false;
            }
        }
        final int slot = (int) (index & mask) << STRIDE_SHIFT;
        final long verdict = entries[slot + VERDICT_OFFSET];
        queue.current(numbers, entries[slot], (int) verdict, verdict >>> 32);
        consumed = index + 1;
        FREED.setRelease(this, entries[slot + COVERED_OFFSET]);
        return true;
    }

    /** Any thread: requests whose slots are free again, counted from the beginning. */
    long freed() {
        return (long) FREED.getAcquire(this);
    }

    /** Completions waiting; any thread, exact only on the consumer's. */
    long size() {
        return Math.max(0, (long) PRODUCED.getAcquire(this) - consumed);
    }
}
