package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.foreign.Guard;
import java.util.stream.Stream;

/** A device as one of its completion queues knows it. Not the data path; any thread. */
interface CompletionQueueOwner {
    /** Have posts to the queue pairs of a completion queue be plain or critical. */
    void choosePosts(CompletionQueue queue);

    /** Guards that are entered in these posts. */
    Stream<Guard> postGuards(CompletionQueue queue);

    /** Notes that a completion queue is destroyed; another one may lie at its address. */
    void onDestroyed(long handle, CompletionQueue queue);
}
