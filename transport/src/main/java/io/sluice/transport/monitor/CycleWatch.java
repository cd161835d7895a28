package io.sluice.transport.monitor;

import io.sluice.transport.buffer.EntryGuard;

/**
 * Watches the duty cycles of a poller from outside, so that the poller itself need not read a clock: a cycle is at
 * least as long as the time between two looks that find the poller inside of the same one. Conductor only.
 */
final class CycleWatch {
    private final EntryGuard guard;
    private long seen;
    private long seenAtNs;
    private long maxCycleNs;

    CycleWatch(final EntryGuard guard) {
        this.guard = guard;
    }

    /** Look, as often as the measure shall be fine. */
    void look(final long nanoTime) {
        final long now = guard.snapshot();
        if (now != seen) {
            seen = now;
            seenAtNs = nanoTime;
        } else if ((now & 1) != 0) {
            maxCycleNs = Math.max(maxCycleNs, nanoTime - seenAtNs);
        }
    }

    /** Cycles begun and ended: the guard counts both. */
    long cycles() {
        return guard.snapshot() >>> 1;
    }

    long maxCycleNs() {
        return maxCycleNs;
    }
}
