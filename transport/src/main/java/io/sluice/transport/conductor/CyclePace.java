package io.sluice.transport.conductor;

/**
 * Tells when the conductor's next whole duty cycle is due. A program that runs the agents itself calls in each turn of
 * its loop, a million times a second, and most of what a cycle looks at needs no look more than once a millisecond:
 * that is how often it is looked at when nothing happens, less often once nothing has happened for 200 ms, and in each
 * cycle while messages of peers' conductors go back and forth. One thread, but for {@link #wake()}.
 */
final class CyclePace {
    /** The time between whole cycles when nothing happens, at first: a peer's message waits so long at most. */
    static final long CALM_INTERVAL_NS = 1_000_000L;

    /** The time for which cycles are whole after one that had something to do: a calm peer answers within that. */
    static final long BUSY_NS = 2 * CALM_INTERVAL_NS;

    /** The time without anything to do after which cycles are as rare as those of a conductor that has a thread. */
    static final long REST_AFTER_NS = 200_000_000L;

    /** Whether the conductor has a thread, which sleeps between cycles by itself. */
    private volatile boolean isThreaded;
    private volatile boolean isWoken;
    private final long restIntervalNs;
    private long lastCycleNs;
    private long lastWorkNs;

    /**
     * A pace whose first whole cycle is due at once.
     *
     * @param nanoTime       now.
     * @param restIntervalNs the time between whole cycles when nothing has happened for a while.
     */
    CyclePace(final long nanoTime, final long restIntervalNs) {
        this.restIntervalNs = restIntervalNs;
        lastCycleNs = nanoTime - CALM_INTERVAL_NS;
        lastWorkNs = nanoTime - BUSY_NS;
    }

    /**
     * Whether a whole cycle is due.
     *
     * @param isFlushing whether the conductor comes back more often than its other duties need, for a tail that waits.
     */
    boolean isDue(final long nanoTime, final boolean isFlushing) {
        final long calmNs = nanoTime - lastWorkNs;
        return isWoken || nanoTime - lastCycleNs >= (calmNs < REST_AFTER_NS ? CALM_INTERVAL_NS : restIntervalNs)
            || !isFlushing && (isThreaded || calmNs < BUSY_NS);
    }

    /** Notes that a thread of its own runs the conductor. */
    void onThread() {
        isThreaded = true;
    }

    /** Notes that a whole cycle has begun. */
    void onCycle(final long nanoTime) {
        isWoken = false;
        lastCycleNs = nanoTime;
    }

    /** Makes a whole cycle due. Any thread. */
    void wake() {
        isWoken = true;
    }

    /** Notes that the cycle which began then had something to do. */
    void onWork(final long nanoTime) {
        lastWorkNs = nanoTime;
    }
}
