package io.sluice.transport.buffer;

import io.sluice.verbs.CompletionQueue;
import java.util.ArrayDeque;

/**
 * Says how many completions to drain at a time, counts the times that a queue was found nearly full (three quarters of
 * what fits had been waiting at once), and tells when everything that waits now has been drained. Whoever drains the
 * queue calls; any thread may read the count, perhaps late.
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
    private long drained;
    private final ArrayDeque<Notice> notices = new ArrayDeque<>();

    private record Notice(long drained, Runnable listener) {
    }

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
     * Notes that the queue was drained, until it was empty or the limit was reached.
     *
     * @param count of completions, at least 1.
     */
    public void onDrained(final int count) {
        if (count >= nearlyFull) {
            nearlyFullDrains++;
        }
        drained += count;
        while (!notices.isEmpty() && notices.peek().drained <= drained) {
            notices.poll().listener.run();
        }
    }

    /** Notes that nothing was there, or will ever be. */
    public void onEmpty() {
        while (!notices.isEmpty()) {
            notices.poll().listener.run();
        }
    }

    /**
     * Ask to be told when what waits now is drained: the queue was empty once, or as many as fit have been drained.
     *
     * @param queue    that is drained.
     * @param listener told on the draining thread.
     */
    public void whenDrained(final CompletionQueue queue, final Runnable listener) {
        notices.add(new Notice(drained + queue.capacity(), listener));
    }

    /** {@return times that the queue was nearly full} Any thread. */
    public long nearlyFullDrains() {
        return nearlyFullDrains;
    }
}
