package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;

/** A device as a completion queue tells it of failed work. Poller of the queue. */
interface FailedWork {
    /** {@return the queue pairs that there are now} Data path. */
    Known known();

    /** The queue pairs that there were at one moment, by their numbers. */
    interface Known {
        /** Notes that work has failed, and not by a flush, of the queue pair with this number. */
        void onFailedWork(CompletionQueue queue, int queuePairNumber);
    }
}
