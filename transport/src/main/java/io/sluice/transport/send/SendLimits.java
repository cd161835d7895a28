package io.sluice.transport.send;

/**
 * The bounds of a link's writes. Immutable; any thread.
 *
 * @param maxWritesInFlight writes posted and not yet drained by the peer's polling thread, at most.
 * @param sendQueueLength   writes outstanding at once, at most, also where the device grants the queue pair more:
 *                          completions of more would not fit into the completion queue.
 * @param signalInterval    at least every n-th write is signalled.
 */
public record SendLimits(int maxWritesInFlight, int sendQueueLength, int signalInterval) {
}
