package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The latencies that a subscription keeps, as its counters show them. */
class LatencyTest {
    private static final int STREAM_ID = 71;
    private static final int MESSAGES = 300;
    private static final String ARRIVED = "arrived";
    private static final String HANDLED = "handled";
    private static final long NONE = -1;
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    private Transport transport;

    static Stream<String> parameters() {
        return Transports.parameters();
    }

    private Stream<CounterReading> counters() {
        try {
            return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory()).read(problem -> {
                throw new AssertionError(problem);
            }).stream().flatMap(status -> status.counters().stream());
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The latencies at one stage, by one consumer or none. */
    private Map<CounterType, Long> latencies(final String stage, final String consumer) {
        final Map<CounterType, Long> values = new EnumMap<>(CounterType.class);
        counters().filter(reading -> reading.type().scope() == CounterScope.LATENCY)
            .filter(reading -> reading.stage().equals(stage) && reading.consumer().equals(consumer))
            .forEach(reading -> values.put(reading.type(), reading.value()));
        return values;
    }

    private Map<CounterType, Long> await(final String stage, final String consumer, final long messages) {
        Await.until(() -> stage + " " + consumer + ": " + latencies(stage, consumer), () ->
            latencies(stage, consumer).getOrDefault(CounterType.LATENCY_MESSAGES, NONE) == messages,
            Await.DEADLINE_SECONDS);
        return latencies(stage, consumer);
    }

    private void awaitNone(final String stage, final String consumer) {
        Await.until("the conductor's look", () -> {
            final Map<CounterType, Long> values = latencies(stage, consumer);
            return values.getOrDefault(CounterType.LATENCY_MAX, 0L) == NONE
                && values.getOrDefault(CounterType.LATENCY_RECENT_P50, 0L) == NONE
                && values.getOrDefault(CounterType.LATENCY_MESSAGES, NONE) == 0;
        });
    }

    /** The stages that there are: each has a group of counters, and nothing else has. */
    private void assertStages(final int count) {
        assertEquals(count, counters().filter(reading -> reading.type() == CounterType.LATENCY_MESSAGES).count());
    }

    private static void assertOrdered(final Map<CounterType, Long> values) {
        assertEquals(0, values.get(CounterType.LATENCY_NEGATIVE), values::toString);
        long before = 0;
        for (final CounterType type : new CounterType[] {
            CounterType.LATENCY_P50, CounterType.LATENCY_P99, CounterType.LATENCY_P999, CounterType.LATENCY_MAX}) {
            assertTrue(values.get(type) >= before, values::toString);
            before = values.get(type);
        }
        assertTrue(before > 0 && before < DAY_NS, values::toString);
        assertTrue(values.get(CounterType.LATENCY_RECENT_MAX) <= before, values::toString);
    }

    private ExclusivePublication publish(final String parameters) {
        return transports.launch().addExclusivePublication(
            transports.channel("linger=0ns" + parameters), STREAM_ID);
    }

    private void offer(final ExclusivePublication publication, final Runnable polls) {
        for (int i = 0; i < MESSAGES; i++) {
            Await.until("room", () -> {
                polls.run();
                return publication.offer(message, 0, message.capacity()) > 0;
            });
        }
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldMeasureEachMessageWhenItHasArrivedAndWhenItIsHandled(final String parameters) {
        transport = transports.launch();
        final Subscription subscription =
            transport.addSubscription(transports.channel("latency=true|" + parameters), STREAM_ID);
        final ExclusivePublication publication = publish("|timestamps=true");
        Transports.awaitConnected(publication, subscription);
        final int[] handled = new int[1];
        final Runnable polls = () -> handled[0] += subscription.poll((buffer, offset, length, header) -> { }, 10);
        offer(publication, polls);
        Await.until("all", () -> {
            polls.run();
            return handled[0] == MESSAGES;
        });
        assertOrdered(await(ARRIVED, "", MESSAGES));
        assertOrdered(await(HANDLED, "poll", MESSAGES));
        assertStages(2);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldMeasureNothingOfMessagesWithoutATimestamp(final String parameters) {
        transport = transports.launch();
        final Subscription subscription =
            transport.addSubscription(transports.channel("latency=true|" + parameters), STREAM_ID);
        final ExclusivePublication plain = publish("");
        Transports.awaitConnected(plain, subscription);
        offer(plain, () -> { });
        Transports.receive(subscription, MESSAGES);
        awaitNone(ARRIVED, "");
        awaitNone(HANDLED, "poll");
    }

    @Test
    void shouldMeasureEachConsumerOfAGraphByItself() throws InterruptedException {
        transport = transports.launch();
        final CountDownLatch released = new CountDownLatch(1);
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(MessageEventHandler.named("quick", (event, sequence, endOfBatch) -> { }),
            MessageEventHandler.named("slow", (event, sequence, endOfBatch) -> released.await()));
        transport.addSubscription(transports.channel("latency=true"), STREAM_ID, graph);
        final ExclusivePublication publication = publish("|timestamps=true");
        Await.until("a link", publication::isConnected);
        assertTrue(publication.offer(message, 0, message.capacity()) > 0);
        assertOrdered(await(HANDLED, "quick", 1));
        assertOrdered(await(ARRIVED, "", 1));
        assertEquals(0, latencies(HANDLED, "slow").get(CounterType.LATENCY_MESSAGES));
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < WAIT_NS) {
            LockSupport.parkNanos(WAIT_NS);
        }
        released.countDown();
        assertTrue(await(HANDLED, "slow", 1).get(CounterType.LATENCY_MAX) >= WAIT_NS);
        assertStages(3);
        assertTrue(latencies(HANDLED, "quick").get(CounterType.LATENCY_MAX)
            < latencies(HANDLED, "slow").get(CounterType.LATENCY_MAX));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldMeasureAMessageWhoseHandlerThrows(final String parameters) {
        transport = transports.launch();
        final Subscription subscription =
            transport.addSubscription(transports.channel("latency=true|" + parameters), STREAM_ID);
        final ExclusivePublication publication = publish("|timestamps=true");
        Transports.awaitConnected(publication, subscription);
        offer(publication, () -> { });
        final int[] calls = new int[1];
        Await.until("all", () -> {
            subscription.poll((buffer, offset, length, header) -> {
                calls[0]++;
                throw new IllegalStateException("wanted");
            }, 10);
            return calls[0] == MESSAGES;
        });
        assertOrdered(await(ARRIVED, "", MESSAGES));
        assertOrdered(await(HANDLED, "poll", MESSAGES));
    }

    @Test
    void shouldMeasureBeforeTheErrorHandlerTakesItsTime() {
        final CountDownLatch isMeasured = new CountDownLatch(1);
        transport = transports.launch(context -> context.errorHandler(error -> {
            try {
                isMeasured.await();
            } catch (final InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }));
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(MessageEventHandler.named("throws", (event, sequence, endOfBatch) -> {
            throw new IllegalStateException("wanted");
        }));
        transport.addSubscription(transports.channel("latency=true"), STREAM_ID, graph);
        final ExclusivePublication publication = publish("|timestamps=true");
        Await.until("a link", publication::isConnected);
        assertTrue(publication.offer(message, 0, message.capacity()) > 0);
        assertOrdered(await(HANDLED, "throws", 1));
        isMeasured.countDown();
    }

    @Test
    void shouldKeepNoLatenciesUnlessAskedTo() {
        transport = transports.launch();
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        final ExclusivePublication publication = publish("|timestamps=true");
        Transports.awaitConnected(publication, subscription);
        publication.offer(message, 0, message.capacity());
        Transports.receive(subscription, 1);
        Await.until("the message to be counted", () -> counters().anyMatch(
            reading -> reading.type() == CounterType.IMAGE_MESSAGES && reading.value() == 1));
        assertEquals(0, counters().filter(reading -> reading.type().scope() == CounterScope.LATENCY).count());
    }
}
