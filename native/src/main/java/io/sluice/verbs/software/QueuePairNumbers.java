package io.sluice.verbs.software;

/** Numbers of a queue pair and of its peer, as its completions tell them. */
final class QueuePairNumbers {
    private final long own;
    private volatile long both;

    QueuePairNumbers(final int own) {
        this.own = (long) own << 32;
        both = this.own;
    }

    /** Set-up: takes the number of the peer, which is known now. */
    void connect(final int peer) {
        both = own | peer;
    }

    /** The queue pair's own number, in the upper half, and its peer's. */
    long both() {
        return both;
    }
}
