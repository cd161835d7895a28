package io.sluice.samples.rpma;

import org.agrona.concurrent.IdleStrategy;

/**
 * The options for how two ends of a connection meet, and how each learns of completions. Immutable.
 *
 * @param address      of the listening side's RDMA device.
 * @param port         that it listens on.
 * @param awaitsEvents whether whoever finds no completion waits for an event, rpma_cq_wait(3), and does not look again
 *                     at once.
 * @param hasRing      whether a poller on a thread of its own puts completions onto a Disruptor ring, from where the
 *                     thread of the link takes them.
 * @param idleStrategy of the threads that look again at once.
 */
public record RpmaLinkOptions(
    String address, int port, boolean awaitsEvents, boolean hasRing, IdleStrategy idleStrategy) {
    String portText() {
        return Integer.toString(port);
    }
}
