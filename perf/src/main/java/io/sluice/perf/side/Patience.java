package io.sluice.perf.side;

import java.util.concurrent.TimeUnit;

/**
 * Spins with a limit, so that a lost message ends a run instead of hanging it. It reads the clock so rarely that the
 * same loop serves every peer without being measured. One thread.
 */
final class Patience {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    /** Spins between looks at the clock: some milliseconds. */
    private static final int SPINS_PER_LOOK = 1 << 16;

    private final String awaited;
    private final boolean yielding;
    private int spins;
    private long firstLookNs;

    /**
     * Creates patience with a word on what is awaited, for the error, and whether others wait for the same processor.
     */
    Patience(final String awaited, final boolean yielding) {
        this.awaited = awaited;
        this.yielding = yielding;
    }

    /** Starts the limit anew, as what was awaited has come. */
    void renew() {
        spins = 0;
        firstLookNs = 0;
    }

    void spin() {
        if (++spins >= SPINS_PER_LOOK) {
            look();
        }
        if (yielding) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private void look() {
        final long nowNs = System.nanoTime();
        if (firstLookNs == 0) {
            firstLookNs = nowNs;
        } else if (nowNs - firstLookNs > LIMIT_NS) {
            throw new IllegalStateException("waited " + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS) + " s for " + awaited);
        }
        spins = 0;
    }
}
