package io.sluice.rpma;

/** A way to take completions out of a queue. */
enum PollingWay {
    /** {@link RpmaCompletionQueue#getCompletion}. */
    SPIN_ONE(false, CompletionTaker::drainOneByOne),
    /** {@link RpmaCompletionQueue#getCompletions}. */
    SPIN_SEVERAL(false, CompletionTaker::drainSeveral),
    /** {@link RpmaCompletionQueue#startPoll()} and what follows. */
    SPIN_BATCH(false, CompletionTaker::drainBatches),
    /** Ways as above, each when there was an event. */
    WAIT_ONE(true, CompletionTaker::drainOneByOne),
    WAIT_SEVERAL(true, CompletionTaker::drainSeveral),
    WAIT_BATCH(true, CompletionTaker::drainBatches);

    final boolean waits;
    private final Drain drain;

    PollingWay(final boolean waits, final Drain drain) {
        this.waits = waits;
        this.drain = drain;
    }

    /** Take all that there is. */
    void drain(final CompletionTaker taker) {
        drain.from(taker);
    }

    /** Takes until the queue is empty. */
    private interface Drain {
        void from(CompletionTaker taker);
    }
}
