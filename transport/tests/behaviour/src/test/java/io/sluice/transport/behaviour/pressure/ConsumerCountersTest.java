package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The view of rings and consumers from outside: who is slow, who is dead, and which stage is full. */
class ConsumerCountersTest {
    private static final int STREAM_ID = 32;
    private static final int LENGTH = 40;
    private static final int ALIGNED_LENGTH = 64;
    private static final int WINDOW = 4096;
    private static final int RING = 8;
    private static final String PARAMETERS = "endpoint=consumers|mode=dedicated|ring=" + RING;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final CountDownLatch released = new CountDownLatch(1);
    private ExclusivePublication publication;
    private Subscription subscription;

    /** Lets the handlers come back, whatever a test has found. */
    @AfterEach
    void release() {
        released.countDown();
    }

    private List<TransportStatus> read() {
        try {
            return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory()).read(problem -> {
                throw new AssertionError(problem);
            });
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private Stream<CounterReading> readings(final CounterType type) {
        return read().stream().flatMap(status -> status.counters().stream()).filter(reading -> reading.type() == type);
    }

    private long value(final CounterType type) {
        return readings(type).mapToLong(CounterReading::value).findFirst().orElse(Long.MIN_VALUE);
    }

    private long value(final CounterType type, final String consumer) {
        return readings(type).filter(reading -> reading.consumer().equals(consumer))
            .mapToLong(CounterReading::value).findFirst().orElse(Long.MIN_VALUE);
    }

    private void await(final CounterType type, final String consumer, final long expected) {
        Await.until(() -> consumer + " " + type + " to be " + expected + " instead of " + value(type, consumer),
            () -> value(type, consumer) == expected, Await.DEADLINE_SECONDS);
    }

    private void await(final CounterType type, final long expected) {
        Await.until(() -> type + " to be " + expected + " instead of " + value(type),
            () -> value(type) == expected, Await.DEADLINE_SECONDS);
    }

    private void publish(final String parameters) {
        publication = transports.launch().addExclusivePublication(
            transports.channel("endpoint=consumers|linger=0ns|window=" + WINDOW + parameters), STREAM_ID);
        Await.until("an image", () -> subscription.imageCount() == 1 && publication.isConnected());
    }

    private int offerUntilBackPressured() {
        final AtomicInteger offered = new AtomicInteger();
        Await.until("back-pressure", () -> {
            final long result = publication.offer(message, 0, LENGTH);
            offered.addAndGet(result > 0 ? 1 : 0);
            return result == Publication.BACK_PRESSURED;
        });
        return offered.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"log=shared", "log=shared|completion=queue", "log=copied"})
    void shouldShowWhichConsumerIsSlowAndWhichStageIsFull(final String log) {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("quick", (event, sequence, endOfBatch) -> { }),
            MessageEventHandler.named("slow", (event, sequence, endOfBatch) -> released.await()));
        subscription = transports.launch().addSubscription(
            transports.channel(PARAMETERS + "|receive-depth=4|" + log), STREAM_ID, graph);
        publish("|" + log);
        final int offered = offerUntilBackPressured();
        assertEquals(WINDOW / ALIGNED_LENGTH, offered);
        await(CounterType.CONSUMER_MESSAGES, "quick", RING);
        await(CounterType.CONSUMER_DISTANCE, "slow", RING);
        assertEquals(0, value(CounterType.CONSUMER_DISTANCE, "quick"));
        assertEquals(RING - 1, value(CounterType.CONSUMER_SEQUENCE, "quick"));
        assertEquals(RING * ALIGNED_LENGTH, value(CounterType.CONSUMER_POSITION, "quick"));
        assertEquals(-1, value(CounterType.CONSUMER_SEQUENCE, "slow"));
        assertEquals(0, value(CounterType.CONSUMER_POSITION, "slow"));
        assertEquals(0, value(CounterType.CONSUMER_MESSAGES, "slow"));
        assertEquals(ConsumerState.ALIVE.ordinal(), value(CounterType.CONSUMER_STATE, "slow"));
        assertEquals(RING, value(CounterType.RING_CAPACITY));
        await(CounterType.RING_OCCUPANCY, RING);
        assertEquals(RING, value(CounterType.RING_MAX_OCCUPANCY));
        await(CounterType.RING_FULL, 1);
        await(CounterType.PUBLICATION_WINDOW_EXHAUSTED, 1);
        assertEquals(
            readings(CounterType.RING_CAPACITY).findFirst().orElseThrow().key().subscriptionId(),
            readings(CounterType.IMAGE_STATE).findFirst().orElseThrow().key().subscriptionId());
        released.countDown();
        await(CounterType.CONSUMER_MESSAGES, "slow", offered);
        await(CounterType.CONSUMER_POSITION, "slow", publication.position());
        await(CounterType.RING_OCCUPANCY, 0);
        assertTrue(readings(CounterType.AGENT_WORK).anyMatch(
            reading -> reading.subject().startsWith("sluice-poller") && reading.value() >= 2 * offered));
    }

    @Test
    void shouldCountThatPostsWaitForAPeerThatDrainsNothing() {
        subscription = transports.launch().addSubscription(
            transports.channel("endpoint=consumers|mode=invoker|receive-depth=4|log=copied"), STREAM_ID);
        publication = transports.launch().addExclusivePublication(
            transports.channel("endpoint=consumers|linger=0ns|log=copied|window=" + WINDOW), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        offerUntilBackPressured();
        await(CounterType.LINK_RECEIVER_NOT_READY, 1);
        assertEquals(0, value(CounterType.LINK_SEND_QUEUE_FULL));
        assertEquals(0, readings(CounterType.RING_CAPACITY).count(), "no ring in INVOKER mode");
    }

    @Test
    void shouldCountAndRecordWhatAHandlerThrowsAndShowThatItHasLeft() {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("", (event, sequence, endOfBatch) -> { }),
            MessageEventHandler.named("broken", (event, sequence, endOfBatch) -> {
                if (sequence == 1) {
                    // not what a thread of a consumer survives
                    Thread.currentThread().interrupt();
                }
                throw new IllegalStateException("a handler's mistake");
            }));
        final Transport transport = transports.launch();
        subscription = transport.addSubscription(transports.channel(PARAMETERS), STREAM_ID, graph);
        publish("");
        Transports.offer(publication, new byte[LENGTH]);
        await(CounterType.CONSUMER_ERRORS, "broken", 1);
        assertEquals(0, value(CounterType.CONSUMER_ERRORS, "0"), "called by its number");
        assertEquals(1, read().stream().flatMap(status -> status.errors().stream())
            .filter(error -> error.text().contains("a handler's mistake")).count());
        assertEquals(1, transport.counters().get(TransportCounter.ERRORS));
        Transports.offer(publication, new byte[LENGTH]);
        await(CounterType.CONSUMER_STATE, "broken", ConsumerState.DEAD.ordinal());
        assertEquals(2, value(CounterType.CONSUMER_MESSAGES, "broken"));
        assertEquals(1, value(CounterType.CONSUMER_SEQUENCE, "broken"));
        assertEquals(-1, value(CounterType.CONSUMER_POSITION, "broken"));
        assertEquals(ConsumerState.ALIVE.ordinal(), value(CounterType.CONSUMER_STATE, "0"));
    }

    @Test
    void shouldShowWhoPollsAndThatItsThreadHasEnded() throws InterruptedException {
        subscription = transports.launch().addSubscription(transports.channel(PARAMETERS), STREAM_ID);
        publish("");
        for (int i = 0; i < 3; i++) {
            Transports.offer(publication, new byte[LENGTH]);
        }
        await(CounterType.CONSUMER_DISTANCE, "poll", 3);
        assertEquals(ConsumerState.NOT_STARTED.ordinal(), value(CounterType.CONSUMER_STATE, "poll"));
        final Thread polling = new Thread(() -> Await.until("two messages", () -> subscription.poll(
            (buffer, offset, length, header) -> {
                throw new IllegalStateException("a handler's mistake");
            }, 1) == 0));
        polling.start();
        polling.join();
        await(CounterType.CONSUMER_STATE, "poll", ConsumerState.DEAD.ordinal());
        await(CounterType.CONSUMER_MESSAGES, "poll", 3);
        assertEquals(3, value(CounterType.CONSUMER_ERRORS, "poll"));
        await(CounterType.CONSUMER_POSITION, "poll", 3 * ALIGNED_LENGTH);
    }

    @Test
    void shouldLeaveTheConsumersPositionUnknownWithSeveralImages() {
        subscription = transports.launch().addSubscription(transports.channel(PARAMETERS), STREAM_ID);
        publish("");
        await(CounterType.CONSUMER_POSITION, "poll", 0);
        final ExclusivePublication second = transports.launch().addExclusivePublication(
            transports.channel("endpoint=consumers|linger=0ns"), STREAM_ID);
        Await.until("two images", () -> subscription.imageCount() == 2 && second.isConnected());
        await(CounterType.CONSUMER_POSITION, "poll", -1);
    }
}
