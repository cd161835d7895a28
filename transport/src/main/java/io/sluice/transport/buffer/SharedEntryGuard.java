package io.sluice.transport.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets many application threads at a time use memory that the conductor may want to release: an {@link EntryGuard} for
 * each, which a thread takes when it enters with one compare-and-set, as a rule on a cache line that nobody else uses
 * now, and gives back when it leaves.
 * <p>
 * The conductor changes what the threads look at, makes every thread pass a fence ({@code
 * Environment.fenceAllThreads}), takes a {@link #snapshot()}, and releases the old memory when {@link #hasLeftSince()}
 * says that every thread that was inside has been outside.
 */
public final class SharedEntryGuard {
    /** {@link #enter()}: as many threads are inside as the guard has room for. */
    public static final int FULL = -1;

    /** Counts lie this many longs apart, so that two threads never write to one pair of cache lines. */
    private static final int STRIDE = 16;

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Odd while a thread is inside. */
    private final long[] counts;
    private final long[] snapshots;
    private final int mask;

    /**
     * A guard with nobody inside.
     *
     * @param capacity threads that can be inside at a time, a power of two.
     */
    public SharedEntryGuard(final int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("not a power of two: capacity=" + capacity);
        }
        counts = new long[(capacity + 1) * STRIDE];
        snapshots = new long[capacity];
        mask = capacity - 1;
    }

    /**
     * Begin to use what is guarded. Application thread, which is not inside.
     *
     * @return a slot to {@link #leave(int)}, or {@link #FULL}.
     */
    public int enter() {
        final int first = (int) Thread.currentThread().threadId();
        for (int i = 0; i <= mask; i++) {
            final int slot = indexOf(first + i & mask);
            final long count = (long) COUNTS.getOpaque(counts, slot);
            if ((count & 1) == 0 && COUNTS.compareAndSet(counts, slot, count, count + 1)) {
                return slot;
            }
        }
        return FULL;
    }

    private static int indexOf(final int number) {
        return (number + 1) * STRIDE;
    }

    /**
     * End the use of what is guarded. The application thread that entered.
     *
     * @param slot from {@link #enter()}.
     */
    public void leave(final int slot) {
        COUNTS.setRelease(counts, slot, counts[slot] + 1);
    }

    /**
     * Remember this moment. Conductor, after the fence.
     */
    public void snapshot() {
        for (int i = 0; i <= mask; i++) {
            snapshots[i] = (long) COUNTS.getAcquire(counts, indexOf(i));
        }
    }

    /**
     * Whether every application thread has been outside at some moment since the snapshot. Conductor.
     *
     * @return true when each has.
     */
    public boolean hasLeftSince() {
        for (int i = 0; i <= mask; i++) {
            if ((snapshots[i] & 1) != 0 && (long) COUNTS.getAcquire(counts, indexOf(i)) == snapshots[i]) {
                return false;
            }
        }
        return true;
    }
}
