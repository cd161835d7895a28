package io.sluice.samples;

import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Transport;
import java.util.concurrent.CountDownLatch;

/**
 * A process that subscribes with two consumers, of which the one called "slow" never comes back from its first message.
 * It runs until it is killed.
 */
final class SlowConsumer {
    static final String NAME = "slow-side";
    static final String CHANNEL = "sluice:ipc?endpoint=slow";
    static final int STREAM_ID = 77;
    static final int RING = 8;

    private SlowConsumer() {
    }

    public static void main(final String[] args) throws InterruptedException {
        final CountDownLatch never = new CountDownLatch(1);
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("quick", (event, sequence, endOfBatch) -> { }),
            MessageEventHandler.named("slow", (event, sequence, endOfBatch) -> never.await()));
        try (Transport transport = Transport.launch(new Context().clientName(NAME))) {
            transport.addSubscription(CHANNEL + "|ring=" + RING, STREAM_ID, graph);
            System.out.println("Subscribed");
            never.await();
        }
    }
}
