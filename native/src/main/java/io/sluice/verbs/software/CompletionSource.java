package io.sluice.verbs.software;

import java.util.function.LongSupplier;

/**
 * The part of one queue pair in a completion queue: its receives, its sends, or both. Polled by the thread that polls
 * the queue.
 */
final class CompletionSource {
    /** The most attempts to count; counting is repeated when the poller takes something meanwhile. */
    private static final int MAX_COUNT_ATTEMPTS = 16;

    private final QueueOwner owner;
    private final QueuePairNumbers numbers;
    private final ReceiveCompletions receives;
    private final LocalCompletions sends;
    private final int slot;
    private final int maxCompletions;
    /** The method {@link #countArrived()}, kept so that counting allocates nothing. */
    private final LongSupplier count = this::countArrived;
    private int emptyPolls;

    /**
     * Make a queue pair's part in a completion queue.
     *
     * @param owner          the queue pair, which completes.
     * @param numbers        of the queue pair.
     * @param receives       its receives, or null when they complete elsewhere.
     * @param sends          its sends, or null when they complete elsewhere.
     * @param slot           of the queue pair in the queue's ready bitmap.
     * @param maxCompletions that can be outstanding at once.
     */
    CompletionSource(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final ReceiveCompletions receives,
        final LocalCompletions sends,
        final int slot,
        final int maxCompletions) {
        this.owner = owner;
        this.numbers = numbers;
        this.receives = receives;
        this.sends = sends;
        this.slot = slot;
        this.maxCompletions = maxCompletions;
    }

    boolean poll(final PolledCompletionQueue queue) {
        return receives != null && receives.poll(queue) || sends != null && sends.poll(queue, numbers.both());
    }

    /** Poll, and count the empty looks. */
    boolean pollCounting(final PolledCompletionQueue queue) {
        if (poll(queue)) {
            emptyPolls = 0;
            return true;
        }
        emptyPolls++;
        return false;
    }

    /** Whether this source was empty so often that its ready bit may be cleared; counts anew then. */
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

    /** Any thread: completions that wait; 0 when the queue pair is closed. */
    long arrivedWhileMapped() {
        return owner.whileMapped(count);
    }

    private long countArrived() {
        for (int i = 0; i < MAX_COUNT_ATTEMPTS; i++) {
            final long before = consumed();
            final long arrived = arrived();
            if (before == consumed()) {
                return arrived;
            }
        }
        // Somebody polls busily, so whatever waits does not wait for long.
        return 0;
    }

    /** Any thread: changes when the poller takes a receive. */
    private long consumed() {
        return receives == null ? 0 : receives.consumed();
    }

    /** Set-up: tell whether the poller looks by itself, so that the peer need not signal. */
    void unsignalled(final boolean isUnsignalled) {
        if (receives != null) {
            receives.unsignalled(isUnsignalled);
        }
    }

    void retrySends() {
        if (sends != null) {
            owner.retrySends();
        }
    }

    /** Fail the queue pair, since the completion queue has overrun. */
    void fail() {
        owner.fail();
    }

    int slot() {
        return slot;
    }

    int maxCompletions() {
        return maxCompletions;
    }
}
