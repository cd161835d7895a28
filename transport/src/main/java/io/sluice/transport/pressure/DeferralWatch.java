package io.sluice.transport.pressure;

/**
 * Tells whether the posts of committed bytes have been deferred for long. For a moment they often are: until the
 * subscriber polls, or a completion is reaped; that is no pressure, and to tell of it each time would be noise.
 * Conductor only.
 */
public final class DeferralWatch {
    /**
     * The time in nanoseconds that is long for a deferral: longer than between two polls of a program that polls now
     * and then.
     */
    static final long LONG_NS = 500_000_000L;
    /**
     * The time in nanoseconds within which a deferral that is seen again goes on: more than two looks of a conductor
     * that rests, which are 50 ms apart and a little.
     */
    static final long SAME_NS = 120_000_000L;

    private boolean wasDeferred;
    private long sinceNs;
    private long lastNs;

    /** A watch that has seen nothing yet. */
    public DeferralWatch() {
    }

    /**
     * {@return whether posts have been deferred for long now} To be told at each look whether any is.
     *
     * @param isDeferred whether a post is deferred now.
     * @param nowNs      time of the conductor's clock.
     */
    public boolean isLong(final boolean isDeferred, final long nowNs) {
        if (isDeferred) {
            if (!wasDeferred || nowNs - lastNs > SAME_NS) {
                sinceNs = nowNs;
            }
            wasDeferred = true;
            lastNs = nowNs;
        }
        return isDeferred && nowNs - sinceNs >= LONG_NS;
    }
}
