package io.sluice.transport.buffer;

import io.sluice.verbs.CompletionQueue;

/**
 * Says how many completions to drain at a time, and counts the times that a queue was found nearly full: three quarters
 * of what fits had been waiting at once. Whoever drains the queue calls; any thread may read the count, perhaps late.
 */
public final class DrainWatch {
    /** Bounds the time before what was drained is handled, and covers any burst of one link. */
    static final int SHORT_LIMIT = 256;

    /** A third of a millisecond of draining: of longer queues it is not found out whether they are nearly full. */
    static final int LONG_LIMIT = 16 * 1024;

    private static final int NEARLY_FULL_QUARTERS = 3;
    private static final int QUARTERS = 4;

    private int nearlyFull;
    private int limit;
    private long nearlyFullDrains;

    /** One that watches no queue yet. */
    public DrainWatch() {
        // nothing is known before watch()
    }

    /**
     * Watch a queue from now on, or take note of its new size.
     *
     * @param queue that is drained.
     */
    public void watch(final CompletionQueue queue) {
        nearlyFull = (int) ((long) queue.capacity() * NEARLY_FULL_QUARTERS / QUARTERS);
        limit = nearlyFull <= LONG_LIMIT ? Math.max(SHORT_LIMIT, nearlyFull) : SHORT_LIMIT;
    }

    /** {@return completions to drain at a time} */
    public int limit() {
        return limit;
    }

    /**
     * The queue was drained, until it was empty or the limit was reached.
     *
     * @param count of completions, at least 1.
     */
    public void onDrained(final int count) {
        if (count >= nearlyFull) {
            nearlyFullDrains++;
        }
    }

    /** {@return times that the queue was nearly full} Any thread. */
    public long nearlyFullDrains() {
        return nearlyFullDrains;
    }
}
