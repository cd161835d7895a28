package io.sluice.verbs.software;

/**
 * What one queue pair contributes to a completion queue: its receives, its sends, or both. Polled by the thread that
 * polls the queue.
 */
final class CompletionSource {
    private final SoftwareQueuePair queuePair;
    private final ReceiveCompletions receives;
    private final LocalCompletions sends;
    private final int slot;
    private final int maxCompletions;
    private int emptyPolls;

    /**
     * A queue pair's part in a completion queue.
     *
     * @param queuePair      that completes.
     * @param receives       its receives, or null when they complete elsewhere.
     * @param sends          its sends, or null when they complete elsewhere.
     * @param slot           of the queue pair in the queue's ready bitmap.
     * @param maxCompletions that can be outstanding at once.
     */
    CompletionSource(
        final SoftwareQueuePair queuePair,
        final ReceiveCompletions receives,
        final LocalCompletions sends,
        final int slot,
        final int maxCompletions) {
        this.queuePair = queuePair;
        this.receives = receives;
        this.sends = sends;
        this.slot = slot;
        this.maxCompletions = maxCompletions;
    }

    boolean poll(final SoftwareCompletionQueue queue) {
        return receives != null && receives.poll(queue) || sends != null && sends.poll(queue, queuePair.numbers());
    }

    /** Poll, and count the empty looks. */
    boolean pollCounting(final SoftwareCompletionQueue queue) {
        if (poll(queue)) {
            emptyPolls = 0;
            return true;
        }
        emptyPolls++;
        return false;
    }

    /** Whether it was empty so often that its ready bit may be cleared; counts anew then. */
    boolean isIdle() {
        if (emptyPolls < SoftwareLimits.EMPTY_POLLS_BEFORE_IDLE) {
            return false;
        }
        emptyPolls = 0;
        return true;
    }

    boolean hasWork() {
        return receives != null && receives.hasWork() || sends != null && sends.size() != 0;
    }

    /** Any thread: an upper bound of the completions that wait. */
    long outstanding() {
        return (receives == null ? 0 : receives.outstanding()) + (sends == null ? 0 : sends.size());
    }

    /** Any thread, while the queue pair cannot be unmapped: completions that wait. */
    long arrived() {
        return (receives == null ? 0 : receives.arrived()) + (sends == null ? 0 : sends.size());
    }

    /** Any thread: changes when the poller takes a receive. */
    long consumed() {
        return receives == null ? 0 : receives.consumed();
    }

    /** Set-up: whether the poller looks by itself, so that the peer need not signal. */
    void unsignalled(final boolean isUnsignalled) {
        if (receives != null) {
            receives.unsignalled(isUnsignalled);
        }
    }

    void retrySends() {
        if (sends != null) {
            queuePair.sendQueue().waiting().retry();
        }
    }

    SoftwareQueuePair queuePair() {
        return queuePair;
    }

    int slot() {
        return slot;
    }

    int maxCompletions() {
        return maxCompletions;
    }
}
