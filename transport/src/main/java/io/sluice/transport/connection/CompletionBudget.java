package io.sluice.transport.connection;

import io.sluice.transport.receive.EventChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.RdmaDevice;

/**
 * A completion queue that always has room for everything that its links may have outstanding, so that it cannot
 * overrun. Created by any thread, then used on the set-up thread; the queue itself is polled elsewhere.
 */
final class CompletionBudget implements AutoCloseable {
    /** Links that the queue has room for at the start; more make it grow. */
    private static final int INITIAL_LINKS = 4;

    /** Epochs of a link whose completions may be outstanding at once: the current one, and one just broken. */
    private static final int EPOCHS_PER_LINK = 2;

    private final CompletionQueue queue;
    private final EventChannel events;
    private final int completionsPerLink;

    CompletionBudget(final RdmaDevice device, final int fields, final int completionsPerLink) {
        this(device, fields, completionsPerLink, null);
    }

    /** One whose queue announces completions on a poller's channel, or nowhere when that is null. */
    CompletionBudget(
        final RdmaDevice device, final int fields, final int completionsPerLink, final EventChannel events) {
        this.completionsPerLink = completionsPerLink;
        this.events = events;
        final int capacity = INITIAL_LINKS * EPOCHS_PER_LINK * completionsPerLink;
        queue = events == null
            ? device.createCompletionQueue(new CompletionQueueAttributes(capacity, fields, null))
            : events.createQueue(capacity, fields);
    }

    /**
     * Make room for a number of links, and for what is being set up: when the set-up thread was held up, it makes what
     * was asked for again and again before any of it is released.
     */
    CompletionQueue reserve(final int linkCount, final int setUps) {
        final int needed = Math.multiplyExact(linkCount * EPOCHS_PER_LINK + setUps, completionsPerLink);
        if (needed > queue.capacity()) {
            queue.resize(Math.max(needed, queue.capacity() * 2));
        }
        return queue;
    }

    CompletionQueue queue() {
        return queue;
    }

    @Override
    public void close() {
        if (events == null) {
            queue.close();
        } else {
            events.close(queue);
        }
    }
}
