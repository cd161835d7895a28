package io.sluice.verbs;

/** Waits for another thread: spins at first, then lets it have the core, which it may need on a busy machine. */
public final class Backoff {
    private static final int SPINS = 200;

    private int count;

    public void reset() {
        count = 0;
    }

    public void idle() {
        if (++count < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
