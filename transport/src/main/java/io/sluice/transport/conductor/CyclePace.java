package io.sluice.transport.conductor;

/**
 * Tells when the conductor's next whole duty cycle is due. A program that runs the agents itself calls in each turn of
 * its loop, a million times a second, and most of what a cycle looks at needs no look more than once a millisecond:
 * that is how often it is looked at when nothing happens, less often once nothing has happened for a second, the least
 * where nothing was offered in that time either, and in each cycle while messages go back and forth. One thread.
 */
final class CyclePace {
    /** The time between whole cycles when nothing happens, at first: a peer's message waits so long at most. */
    static final long CALM_INTERVAL_NS = 1_000_000L;

    /** The time for which cycles are whole after one that had something to do: a calm peer answers within that. */
    static final long BUSY_NS = 2 * CALM_INTERVAL_NS;

    /** The time without anything to do after which cycles are as rare as those of a conductor that has a thread. */
    static final long REST_AFTER_NS = 1_000_000_000L;

    /** Whether the conductor has a thread, which sleeps between cycles by itself. */
    private volatile boolean isThreaded;
    private final long offeredIntervalNs;
    private final long restIntervalNs;
    private long lastCycleNs;
    private long lastWorkNs;
    private long tails;
    private long lastOfferedNs;

    /**
     * A pace whose first whole cycle is due at once.
     *
     * @param nanoTime          now.
     * @param offeredIntervalNs the time between whole cycles when messages are offered and nothing else has happened
     *                          for a while.
     * @param restIntervalNs    the time between them when nothing is offered either.
     */
    CyclePace(final long nanoTime, final long offeredIntervalNs, final long restIntervalNs) {
        this.offeredIntervalNs = offeredIntervalNs;
        this.restIntervalNs = restIntervalNs;
        lastCycleNs = nanoTime - CALM_INTERVAL_NS;
        lastWorkNs = nanoTime - BUSY_NS;
        lastOfferedNs = nanoTime;
    }

    /**
     * Whether a whole cycle is due.
     *
     * @param isFlushing whether the conductor comes back more often than its other duties need, for a tail that waits.
     */
    boolean isDue(final long nanoTime, final boolean isFlushing) {
        final long calmNs = nanoTime - lastWorkNs;
        return nanoTime - lastCycleNs >= (calmNs < REST_AFTER_NS ? CALM_INTERVAL_NS : calmIntervalNs(nanoTime))
            || !isFlushing && (isThreaded || calmNs < BUSY_NS);
    }

    private long calmIntervalNs(final long nanoTime) {
        return nanoTime - lastOfferedNs < REST_AFTER_NS ? offeredIntervalNs : restIntervalNs;
    }

    /** Notes that a thread of its own runs the conductor. */
    void onThread() {
        isThreaded = true;
    }

    /**
     * Notes that a whole cycle has begun.
     *
     * @param nanoTime now.
     * @param newTails of all publications together: others than before when something was offered meanwhile.
     */
    void onCycle(final long nanoTime, final long newTails) {
        lastCycleNs = nanoTime;
        if (newTails != tails) {
            tails = newTails;
            lastOfferedNs = nanoTime;
        }
    }

    /** Notes that the cycle which began then had something to do. */
    void onWork(final long nanoTime) {
        lastWorkNs = nanoTime;
    }
}
