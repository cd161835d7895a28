package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.RereadingHandler;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program that does not poll its ring often enough: its subscription is closed, and others go on. */
class SlowPollTest {
    private static final int STREAM_ID = 13;
    private static final int MESSAGES = 2_000;
    private static final int AHEAD = 16;
    private static final int WINDOW = 32 * 1024;
    private static final String RING = "mode=dedicated|ring=64|";
    private static final String SOON = "slow=evict|evict-after=100ms|evict-timeout=100ms";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RereadingHandler.LENGTH]);
    private final RereadingHandler fast = new RereadingHandler("fast");
    private final AtomicInteger unavailable = new AtomicInteger();
    private Transport subscriber;
    private Subscription polled;
    private Subscription neighbour;
    private ExclusivePublication publication;

    @BeforeEach
    void connect() {
        subscriber = transports.launch();
        polled = subscriber.addSubscription(
            transports.channel(RING + SOON), STREAM_ID, image -> { }, image -> unavailable.incrementAndGet());
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(fast);
        neighbour = subscriber.addSubscription(transports.channel(RING + "slow=gate"), STREAM_ID, graph);
        publication = transports.launch().addExclusivePublication(
            transports.channel("linger=0ns|window=" + WINDOW), STREAM_ID);
        Await.until("images", () -> polled.imageCount() == 1 && neighbour.imageCount() == 1);
    }

    private void send(final int first, final int end) {
        for (int i = first; i < end; i++) {
            final int number = i;
            RereadingHandler.write(buffer, number);
            Await.until("room", () ->
                number - Math.max(fast.next(), 0) < AHEAD && publication.offer(buffer) > 0);
        }
    }

    private void awaitAll() {
        Await.until("all messages", () -> fast.seen() == MESSAGES);
        assertEquals(0, fast.wrong());
        transports.awaitError("CONSUMER_EVICTED", "consumer evicted", "name=poll", "its subscription is closed");
        assertTrue(polled.isClosed());
        assertFalse(neighbour.isClosed());
        assertEquals(1, subscriber.counters().get(TransportCounter.CONSUMERS_EVICTED));
        assertEquals(0, subscriber.counters().get(TransportCounter.LINKS_RESUMED));
    }

    @Test
    void shouldCloseItsSubscriptionWhenItHoldsOthersUp() {
        send(0, MESSAGES);
        awaitAll();
        assertEquals(0, polled.poll((message, offset, length, header) -> { }, 1));
        assertEquals(0, subscriber.counters().get(TransportCounter.MEMORY_ABANDONED));
    }

    @Test
    void shouldKeepTheMessageThatItsHandlerDoesNotComeBackFrom() {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final List<Integer> read = new CopyOnWriteArrayList<>();
        final Thread polling = Thread.ofPlatform().start(() -> Await.until("a message", () ->
            polled.poll((message, offset, length, header) -> {
                read.add(message.getInt(offset));
                entered.countDown();
                Await.until("the release", () -> mayReturn.getCount() == 0);
                read.add(message.getInt(offset));
            }, 1) == 1));
        send(0, 1);
        Await.until("its handler", () -> entered.getCount() == 0);
        send(1, MESSAGES);
        awaitAll();
        transports.awaitError("memory abandoned", "its handler did not return");
        assertEquals(0, unavailable.get());
        final long regions = transports.fabric().regions(WINDOW);
        mayReturn.countDown();
        Await.end(polling);
        assertEquals(List.of(0, 0), read);
        Await.until("the image to go", () -> unavailable.get() == 1 && polled.imageCount() == 0);
        if (!TestMedium.isRdma()) {
            Await.until("its ring to be released", () -> transports.fabric().regions(WINDOW) == regions - 1);
        }
    }
}
