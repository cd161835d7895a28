package io.sluice.verbs.rdma;

import io.sluice.verbs.VerbsException;

/**
 * The queues that a queue pair works with.
 *
 * @param shared that its receives come from, or null when it has its own.
 */
record QueuePairQueues(VerbsCompletionQueue send, VerbsCompletionQueue receive, VerbsSharedReceiveQueue shared) {
    /** Attaches to all of the queues or, when one is closed, to none. */
    void attach() {
        send.attach();
        try {
            receive.attach();
            attachShared();
        } catch (final VerbsException e) {
            send.detach();
            throw e;
        }
    }

    private void attachShared() {
        if (shared == null) {
            return;
        }
        try {
            shared.attach();
        } catch (final VerbsException e) {
            receive.detach();
            throw e;
        }
    }

    /**
     * Refuses a close within a batch: the device waits for the end of a batch of either queue, and the poller would
     * wait for itself.
     */
    void checkNotInBatch(final int number) {
        send.checkNotInBatch("close of queue pair " + number);
        receive.checkNotInBatch("close of queue pair " + number);
    }

    /** Have the queue pair destroyed while pollers leave its queues alone, where the device needs it. */
    void whileQueuePairGoes(final Runnable destruction) {
        if (send == receive) {
            send.whileQueuePairGoes(destruction);
        } else {
            send.whileQueuePairGoes(() -> receive.whileQueuePairGoes(destruction));
        }
    }

    void forget(final int number) {
        send.forget(number);
    }

    void detach() {
        send.detach();
        receive.detach();
        if (shared != null) {
            shared.detach();
        }
    }
}
