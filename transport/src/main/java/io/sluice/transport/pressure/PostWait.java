package io.sluice.transport.pressure;

/**
 * Whether committed bytes have been waiting to be posted for long. For a moment they often wait: until the subscriber
 * polls, or a completion is reaped; that is no pressure, and to tell of it each time would be noise. Conductor only.
 */
public final class PostWait {
    /** Longer than between two polls of a program that polls now and then. */
    static final long LONG_NS = 500_000_000L;
    /** A wait goes on when it is seen again within this time: some of the conductor's looks. */
    static final long SAME_NS = 50_000_000L;

    private boolean hasWaited;
    private long sinceNs;
    private long lastNs;

    /** Nothing has happened yet. */
    public PostWait() {
    }

    /**
     * {@return whether there has been a wait for long now} To be told at each look whether something had to wait.
     *
     * @param isWaiting whether a post waits now.
     * @param nowNs     time of the conductor's clock.
     */
    public boolean isLong(final boolean isWaiting, final long nowNs) {
        if (isWaiting) {
            if (!hasWaited || nowNs - lastNs > SAME_NS) {
                sinceNs = nowNs;
            }
            hasWaited = true;
            lastNs = nowNs;
        }
        return isWaiting && nowNs - sinceNs >= LONG_NS;
    }
}
