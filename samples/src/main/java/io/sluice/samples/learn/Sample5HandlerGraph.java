package io.sluice.samples.learn;

import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.util.concurrent.CountDownLatch;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sample 5: a pinned poller puts messages onto a ring, and handlers take them, each on a thread of its own. The journal
 * sees a message when the book and the statistics are both done with it.
 */
public final class Sample5HandlerGraph {
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-5";
    private static final int STREAM_ID = 10;
    private static final int MESSAGES = 1_000;

    private Sample5HandlerGraph() {
    }

    /** Adds up the numbers that it sees. One thread: that of its consumer. */
    private static final class Sum implements MessageEventHandler {
        private final String name;
        private final CountDownLatch done = new CountDownLatch(1);
        private long sum;

        Sum(final String name) {
            this.name = name;
        }

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            sum += event.buffer().getInt(event.offset());
            if (sequence == MESSAGES - 1) {
                done.countDown();
            }
        }

        @Override
        public String name() {
            return name; // counters, threads and errors call the consumer so
        }

        long await() throws InterruptedException {
            done.await();
            return sum;
        }
    }

    /**
     * Run it.
     *
     * @param args the processor to pin the poller to, an isolated one where there is one; by default the last. Where
     *             this process may not run there, the error handler is told, and the poller runs unpinned.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static void main(final String[] args) throws InterruptedException {
        final int cpu = args.length > 0 ? Integer.parseInt(args[0]) : Runtime.getRuntime().availableProcessors() - 1;
        final Context context = new Context().pollers(new PollerOptions().count(1).cpus(cpu));
        final Sum book = new Sum("book");
        final Sum statistics = new Sum("statistics");
        final Sum journal = new Sum("journal");
        final HandlerGraph graph = new HandlerGraph().waitStrategy("yielding");
        graph.handleEventsWith(book, statistics).then(journal);

        try (Transport transport = Transport.launch(context);
            Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID, graph);
            Publication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID)) {
            System.out.println("subscribed to " + subscription.channel() + ", pollers: " + transport.pollers().size());
            final MutableDirectBuffer message = new ExpandableArrayBuffer();
            for (int i = 1; i <= MESSAGES; i++) {
                message.putInt(0, i);
                while (publication.offer(message, 0, Integer.BYTES) < 0) {
                    Thread.onSpinWait();
                }
            }
            System.out.println("book " + book.await() + ", statistics " + statistics.await()
                + ", journal " + journal.await());
        }
    }
}
