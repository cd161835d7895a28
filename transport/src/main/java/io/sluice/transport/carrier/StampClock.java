package io.sluice.transport.carrier;

import java.util.function.LongSupplier;

/**
 * The clock that publications stamp messages by, and that subscriptions compare the stamps with: the monotonic clock of
 * the host, and a distance that was measured once. So stamps never go backwards, and steps of the wall clock are not
 * followed, while the monotonic clock is slowed and sped up as the wall clock is.
 * <p>
 * One host has one monotonic clock for all its processes. There it stamps as it is, and stamps are exact; across hosts
 * it stamps with the distance to the wall clock, and stamps are as near to each other as these clocks are.
 * <p>
 * Immutable; any thread. The transport owns it.
 */
public final class StampClock {
    /** A clock that stands still, for links whose messages are not stamped. */
    public static final StampClock NONE = new StampClock(() -> 0, 0, 0);

    /** The number of measurements of the distance, the best of which is taken: a thread may lose its core in one. */
    private static final int SAMPLES = 16;

    private final LongSupplier nanoTime;
    private final long distanceNs;
    private final long epochDistanceNs;

    private StampClock(final LongSupplier nanoTime, final long distanceNs, final long epochDistanceNs) {
        this.nanoTime = nanoTime;
        this.distanceNs = distanceNs;
        this.epochDistanceNs = epochDistanceNs;
    }

    /**
     * A clock for messages between hosts: the distance between both clocks is measured here.
     *
     * @param nanoTime the monotonic clock, in nanoseconds since any moment.
     * @param epochNs  the wall clock, in nanoseconds since 1970.
     * @return the clock.
     */
    public static StampClock acrossHosts(final LongSupplier nanoTime, final LongSupplier epochNs) {
        long shortestNs = Long.MAX_VALUE;
        long measuredNs = 0;
        for (int i = 0; i < SAMPLES; i++) {
            final long beforeNs = nanoTime.getAsLong();
            final long wallNs = epochNs.getAsLong();
            final long windowNs = nanoTime.getAsLong() - beforeNs;
            if (windowNs < shortestNs) {
                shortestNs = windowNs;
                measuredNs = wallNs - (beforeNs + windowNs / 2);
            }
        }
        return new StampClock(nanoTime, measuredNs, measuredNs);
    }

    /**
     * The clock for messages that stay on this host.
     *
     * @return a clock whose stamps are the monotonic clock's.
     */
    public StampClock onOneHost() {
        return new StampClock(nanoTime, 0, epochDistanceNs);
    }

    /**
     * The time to stamp a message with.
     *
     * @return nanoseconds, never less than before on one thread.
     */
    public long nowNs() {
        return nanoTime.getAsLong() + distanceNs;
    }

    /**
     * The distance to add to this host's monotonic clock, so that it can be compared with stamps.
     *
     * @return nanoseconds; 0 on one host.
     */
    public long distanceNs() {
        return distanceNs;
    }

    /**
     * The wall clock's time of a stamp.
     *
     * @param stampNs that stands in a message, which may be anything.
     * @return nanoseconds since 1970.
     */
    public long epochNs(final long stampNs) {
        return stampNs + (epochDistanceNs - distanceNs);
    }

    @Override
    public String toString() {
        return "StampClock{distanceNs=" + distanceNs + " epochDistanceNs=" + epochDistanceNs + "}";
    }
}
