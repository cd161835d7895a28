package io.sluice.samples.rpma;

import io.sluice.rpma.RpmaCompletionQueue;
import io.sluice.rpma.RpmaError;
import org.agrona.concurrent.IdleStrategy;

/**
 * Waits for a completion event. The queue announces the first completion since the last wait, so whoever has found it
 * empty may wait: what came meanwhile has made its event. The thread that waits is the one that drains.
 */
final class EventIdleStrategy implements IdleStrategy {
    /**
     * The longest time in nanoseconds for which the end of a connection, of the other side or of the program may go
     * unnoticed.
     */
    private static final long LONGEST_WAIT_NS = 1_000_000;

    private final RpmaCompletionQueue queue;

    EventIdleStrategy(final RpmaCompletionQueue queue) {
        this.queue = queue;
    }

    @Override
    public void idle(final int workCount) {
        if (workCount == 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        final int result = queue.await(LONGEST_WAIT_NS);
        if (result != RpmaError.OK && result != RpmaError.E_NO_COMPLETION) {
            throw new RpmaLinkFailure("cannot wait for completions: " + RpmaError.describe(result));
        }
    }

    @Override
    public void reset() {
        // there is nothing to forget
    }
}
