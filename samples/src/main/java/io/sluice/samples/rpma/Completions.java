package io.sluice.samples.rpma;

import io.sluice.rpma.RpmaCompletionQueue;

/** The place where the thread of a link learns what has completed, and how it waits for that. */
abstract class Completions implements AutoCloseable {
    /** The way that the options ask for. The completions of the queue are taken from now on. */
    static Completions of(final RpmaCompletionQueue queue, final RpmaLinkOptions options, final int... cpus) {
        return options.hasRing() ? new RingCompletions(queue, options, cpus) : new QueueCompletions(queue, options);
    }

    /**
     * Hand over what has completed since.
     *
     * @return completions; 0 when there is none now.
     */
    abstract int drain(CompletionHandler handler);

    /** Wait after a drain that found none: a little, or for the next completion. */
    abstract void idle();

    /** Take none any more. Before the queue goes. */
    @Override
    public abstract void close();
}
