package io.sluice.verbs.rdma;

import io.sluice.verbs.QueuePair;

/** A device as one of its queue pairs knows it. Not the data path; any thread. */
interface QueuePairOwner {
    /** Notes that a queue pair is to be asked for its state soon. */
    void onSuspect();

    /** Notes that a queue pair is destroyed; another one may have its address, and its number. */
    void onDestroyed(long handle, QueuePair queuePair);
}
