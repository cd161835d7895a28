package io.sluice.environment;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The wall clock in nanoseconds, read without allocating: the monotonic clock and the distance between both. Whoever
 * reads it looks every now and then whether the wall clock still agrees in its milliseconds, and measures the distance
 * anew when it does not: it was put forward or back. Any thread.
 */
final class WallClock {
    /**
     * The time in nanoseconds after which a step is noticed at the latest, and by the first who reads after a longer
     * rest.
     */
    static final long LOOK_INTERVAL_NS = 100_000_000L;

    private static final long NS_PER_MS = 1_000_000L;
    /** Window of a measurement that is as good as any machine gives; with less luck the best of some is taken. */
    private static final long GOOD_WINDOW_NS = 250;
    private static final int MAX_SAMPLES = 100;

    private final LongSupplier nanoTime;
    private final LongSupplier epochMs;
    private final LongSupplier exactEpochNs;
    private final AtomicLong lastLookNs = new AtomicLong();
    private volatile long distanceNs;

    /** A clock that has measured the distance. */
    WallClock(final LongSupplier nanoTime, final LongSupplier epochMs, final LongSupplier exactEpochNs) {
        this.nanoTime = nanoTime;
        this.epochMs = epochMs;
        this.exactEpochNs = exactEpochNs;
        lastLookNs.set(nanoTime.getAsLong());
        measure();
    }

    /** Nanoseconds since 1970-01-01T00:00Z. */
    long epochNs() {
        final long nowNs = nanoTime.getAsLong();
        final long lastNs = lastLookNs.get();
        // one looks, and others go by what it finds
        if (nowNs - lastNs >= LOOK_INTERVAL_NS && lastLookNs.compareAndSet(lastNs, nowNs)) {
            look();
            return nanoTime.getAsLong() + distanceNs;
        }
        return nowNs + distanceNs;
    }

    /** Milliseconds that no moment of the look agrees with are those of a clock that was moved meanwhile. */
    private void look() {
        final long beforeNs = nanoTime.getAsLong();
        final long ms = epochMs.getAsLong();
        final long afterNs = nanoTime.getAsLong();
        if (afterNs + distanceNs < ms * NS_PER_MS || beforeNs + distanceNs >= (ms + 1) * NS_PER_MS) {
            measure();
        }
    }

    private void measure() {
        long windowNs = Long.MAX_VALUE;
        long measuredNs = 0;
        for (int i = 0; i < MAX_SAMPLES && windowNs > GOOD_WINDOW_NS; i++) {
            final long beforeNs = nanoTime.getAsLong();
            final long epochNs = exactEpochNs.getAsLong();
            final long sampleNs = nanoTime.getAsLong() - beforeNs;
            if (sampleNs < windowNs) {
                windowNs = sampleNs;
                measuredNs = epochNs - (beforeNs + sampleNs / 2);
            }
        }
        distanceNs = measuredNs;
    }
}
