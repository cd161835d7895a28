package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Configuration;
import io.sluice.transport.EvictionOptions;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.RereadingHandler;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers that hold others up: they gate, or they are evicted, and nobody else loses anything. */
class SlowConsumerTest {
    private static final int STREAM_ID = 11;
    private static final int WINDOW = 32 * 1024;
    /** Many times what ring and window have room for. */
    private static final int MESSAGES = 2_000;
    private static final int HELD_AT = 5;
    private static final int RING = 64;
    /** A handler that is not meant to be slow is never so many messages behind, however busy the machine is. */
    private static final int AHEAD = RING / 4;
    private static final long SLOW_NS = 1_000_000;
    /** The log of the publication and the ring of its only link. */
    private static final int LOG_AND_RING = 2;
    private static final String EVICT_AFTER = "100ms";
    private static final String EVICT = "slow=evict|evict-after=" + EVICT_AFTER;
    private static final String SOON = EVICT + "|evict-timeout=100ms";
    private static final String LATE = EVICT + "|evict-timeout=1000s";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RereadingHandler.LENGTH]);
    private final HandlerGraph graph = new HandlerGraph();
    private final RereadingHandler fast = new RereadingHandler("fast");
    private final RereadingHandler snail = new RereadingHandler("snail");
    private final RereadingHandler behind = new RereadingHandler("behind");
    private final List<RereadingHandler> paced = new ArrayList<>(List.of(fast));
    private final List<ConsumerEviction> heard = new CopyOnWriteArrayList<>();
    private final List<ConsumerEviction> heardByAll = new CopyOnWriteArrayList<>();
    private Transport publisher;
    private Transport subscriber;
    private ExclusivePublication publication;
    private Subscription subscription;

    @BeforeEach
    void launch() {
        publisher = transports.launch();
        subscriber = transports.launch();
    }

    /** Lets the handlers come back, whatever a test has found. */
    @AfterEach
    void release() {
        Stream.of(fast, snail, behind).forEach(RereadingHandler::release);
    }

    private void connect(final String parameters) {
        subscription = subscriber.addSubscription(
            transports.channel("mode=dedicated|" + parameters), STREAM_ID, graph);
        publication = publish("");
    }

    private ExclusivePublication publish(final String more) {
        final ExclusivePublication added = publisher.addExclusivePublication(
            transports.channel("linger=0ns|window=32k" + more), STREAM_ID);
        Await.until("an image", () ->
            subscription.imageBySessionId(added.sessionId()) != null && added.isConnected());
        return added;
    }

    private void send(final int first, final int end) {
        for (int i = first; i < end; i++) {
            final int number = i;
            RereadingHandler.write(buffer, number);
            Await.until(() -> "room for message " + number + ", errors=" + transports.errors(), () -> paced.stream()
                .allMatch(handler -> number - Math.max(handler.next(), first) < AHEAD)
                && publication.offer(buffer) > 0, Await.DEADLINE_SECONDS);
        }
    }

    private void fill() {
        RereadingHandler.write(buffer, 0);
        int offered = 0;
        while (publication.offer(buffer) > 0) {
            RereadingHandler.write(buffer, ++offered);
            final int onRing = Math.min(offered, RING);
            Await.until("those that are not held", () ->
                paced.stream().allMatch(handler -> onRing - handler.next() < AHEAD));
        }
        assertTrue(offered > HELD_AT);
    }

    private static void awaitAll(final RereadingHandler... handlers) {
        for (final RereadingHandler handler : handlers) {
            Await.until(() -> MESSAGES + " messages instead of " + handler.seen(),
                () -> handler.seen() == MESSAGES, Await.DEADLINE_SECONDS);
            assertEquals(0, handler.wrong(), handler.name());
        }
    }

    private void awaitRelief() {
        Await.until("all bytes to be given back", () -> publication.availableWindow() == WINDOW);
        Await.until("no pressure", () -> publication.pressureState() == PressureState.CLEAR
            && subscription.pressureState() == PressureState.CLEAR);
    }

    private long count(final TransportCounter counter) {
        return subscriber.counters().get(counter);
    }

    private void awaitState(final String consumer, final ConsumerState expected) {
        Await.until(consumer + " to be " + expected, () -> {
            try {
                return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory())
                    .read(problem -> {
                        throw new AssertionError(problem);
                    }).stream().flatMap(status -> status.counters().stream())
                    .anyMatch(reading -> reading.type() == CounterType.CONSUMER_STATE
                        && reading.consumer().equals(consumer) && reading.value() == expected.ordinal());
            } catch (final IOException ex) {
                throw new UncheckedIOException(ex);
            }
        });
    }

    private static BackPressureListener listener(final List<ConsumerEviction> evictions) {
        return new BackPressureListener() {
            @Override
            public void onBackPressure(final BackPressure change) {
                // of evictions only
            }

            @Override
            public void onEviction(final ConsumerEviction eviction) {
                evictions.add(eviction);
            }
        };
    }

    private static RereadingHandler slow() {
        return new RereadingHandler("slow") {
            @Override
            protected void then() {
                LockSupport.parkNanos(SLOW_NS);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring=64", "ring=1024"})
    void shouldEvictASlowHandlerWithItsDependantsWhenRingOrWindowIsFull(final String ring) {
        final RereadingHandler slow = slow();
        final RereadingHandler independent = new RereadingHandler("independent");
        graph.handleEventsWith(fast, slow).then(behind);
        graph.after(fast).then(independent);
        paced.add(independent);
        subscriber = transports.launch(context -> context.backPressureListener(listener(heardByAll)));
        connect(ring + "|" + LATE.replace(EVICT_AFTER, "400ms"));
        subscription.backPressureListener(listener(heard));
        send(0, MESSAGES);
        awaitAll(fast, independent);
        awaitRelief();
        transports.awaitError("CONSUMER_EVICTED",
            "consumer evicted", "name=slow", "dependants=[behind]", "streamId=" + STREAM_ID);
        transports.awaitError("CONSUMER_LEFT", "consumer left", "sluice-consumer-11-slow", "was evicted");
        transports.awaitError("CONSUMER_LEFT", "consumer left", "sluice-consumer-11-behind", "was evicted");
        Await.until("the listeners", () -> heardByAll.size() == 1);
        assertEquals(heardByAll, heard);
        assertEquals("slow", heard.getFirst().consumer());
        assertEquals(List.of("behind"), heard.getFirst().dependants());
        assertEquals(STREAM_ID, heard.getFirst().streamId());
        assertTrue(heard.getFirst().eventsBehind() > 0 && heard.getFirst().slowNs() > 0, heard::toString);
        awaitState("slow", ConsumerState.EVICTED);
        awaitState("behind", ConsumerState.EVICTED);
        awaitState("fast", ConsumerState.ALIVE);
        assertEquals(2, count(TransportCounter.CONSUMERS_EVICTED));
        Await.until("their ends", () -> slow.hasEnded() && behind.hasEnded());
        assertEquals(0, slow.wrong() + behind.wrong());
        assertTrue(behind.seen() <= slow.seen(), "what the slow one has not handled nobody behind it has");
        assertEquals(0, count(TransportCounter.LINKS_BROKEN), "it came back by itself");
        assertEquals(0, count(TransportCounter.MEMORY_ABANDONED));
        assertEquals(3, transports.errors().size(), () -> transports.errors().toString());
        assertFalse(subscription.isClosed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"log=shared", "log=copied", "slow=gate|log=copied"})
    void shouldEvictNobodyUnlessTold(final String parameters) {
        subscriber = transports.launch(
            context -> context.eviction(new EvictionOptions().evictAfterNs(Configuration.TIMEOUT_MIN_NS)));
        graph.handleEventsWith(fast, snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|" + parameters);
        fill();
        final long begin = System.nanoTime();
        Await.until("BLOCKED", () -> subscription.pressureState() == PressureState.BLOCKED);
        Await.until("a hundred times too long",
            () -> System.nanoTime() - begin > 100 * Configuration.TIMEOUT_MIN_NS);
        awaitState("snail", ConsumerState.ALIVE);
        snail.release();
        awaitRelief();
        Await.until("all that was sent", () -> fast.next() == snail.next());
        assertEquals(0, fast.wrong() + snail.wrong());
        assertEquals(0, count(TransportCounter.CONSUMERS_EVICTED));
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring=64", "ring=1024"})
    void shouldAbandonTheMessageToAHandlerThatDoesNotComeBackAndGoOnWithANewRing(final String ring) {
        graph.handleEventsWith(fast, snail).then(behind);
        snail.holdAt(HELD_AT);
        connect(ring + "|" + SOON);
        final ExclusivePublication other = publish("");
        send(0, MESSAGES / 2);
        transports.awaitError("ABANDONED", "memory abandoned", "name=snail");
        assertTrue(snail.isHeld());
        snail.reread();
        assertEquals("", snail.changed());
        send(MESSAGES / 2, MESSAGES);
        awaitAll(fast);
        awaitRelief();
        assertEquals(1, count(TransportCounter.MEMORY_ABANDONED));
        assertEquals(1, count(TransportCounter.LINKS_RESUMED), "the other publication's link is as it was");
        assertEquals(2, count(TransportCounter.CONSUMERS_EVICTED));
        awaitState("snail", ConsumerState.EVICTED);
        Await.until("the end of its dependant", behind::hasEnded);
        assertTrue(behind.seen() <= HELD_AT, "nothing that the one before has not handled");
        if (!TestMedium.isRdma()) {
            assertEquals(2 * LOG_AND_RING + 1, transports.fabric().regions(WINDOW), "the old ring is still there");
        }
        snail.release();
        Await.until("its end", snail::hasEnded);
        assertEquals(HELD_AT + 1, snail.seen());
        assertEquals(0, snail.wrong() + behind.wrong());
        if (!TestMedium.isRdma()) {
            Await.until("the old ring to go", () -> transports.fabric().regions(WINDOW) == 2 * LOG_AND_RING);
        }
        assertEquals(0, count(TransportCounter.LINKS_GONE));
        assertTrue(other.isConnected());
        assertFalse(subscription.isClosed());
    }

    @Test
    void shouldKeepTheMessageOfAnAbandonedHandlerWhenItsImageAndItsSubscriptionAreGone() {
        graph.handleEventsWith(fast, snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|" + SOON);
        final ExclusivePublication ended = publication;
        send(0, AHEAD);
        Await.until("its last message", () -> fast.next() == AHEAD);
        ended.close();
        publication = publish("");
        send(AHEAD, MESSAGES);
        awaitAll(fast);
        transports.awaitError("ABANDONED", "memory abandoned", "name=snail");
        Await.until("the end of the image", () -> subscription.imageCount() == 1);
        publication.close();
        subscription.close();
        Await.until("the end of the others", fast::hasEnded);
        if (!TestMedium.isRdma()) {
            Await.until("all memory but its ring to go", () -> transports.fabric().regions(WINDOW) == 1);
        }
        snail.reread();
        assertEquals("", snail.changed());
        snail.release();
        Await.until("its end", snail::hasEnded);
        if (!TestMedium.isRdma()) {
            Await.until("its ring to go", () -> transports.fabric().regions(WINDOW) == 0);
        }
    }

    @Test
    void shouldNotReplaceTheRingWhenTheHandlerComesBackInTime() {
        graph.handleEventsWith(fast, snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|" + LATE);
        fill();
        transports.awaitError("CONSUMER_EVICTED", "consumer evicted", "name=snail");
        awaitState("snail", ConsumerState.EVICTED);
        assertFalse(snail.hasEnded());
        snail.release();
        Await.until("its end", snail::hasEnded);
        assertEquals("", snail.changed());
        assertEquals(HELD_AT + 1, snail.seen(), "nothing after the message that it was at");
        awaitRelief();
        assertEquals(0, count(TransportCounter.LINKS_BROKEN));
        assertEquals(0, count(TransportCounter.MEMORY_ABANDONED));
        assertEquals(0, fast.wrong());
    }

    @Test
    void shouldNotEvictWhoRecoversInTime() {
        graph.handleEventsWith(fast, snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|slow=evict|evict-after=1000s");
        fill();
        Await.until("BLOCKED", () -> subscription.pressureState() == PressureState.BLOCKED);
        snail.release();
        awaitRelief();
        Await.until("all that was sent", () -> fast.next() == snail.next());
        assertEquals(0, count(TransportCounter.CONSUMERS_EVICTED));
        assertEquals(List.of(), transports.errors());
    }

    /** The ring is full but for what the publication does not fill. */
    @Test
    void shouldNotEvictWhoHoldsNobodyUp() {
        graph.handleEventsWith(fast, snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|slow=evict|evict-after=1ms|evict-behind=1");
        send(0, 60);
        Await.until("the fast one", () -> fast.seen() == 60);
        final long begin = System.nanoTime();
        Await.until("a hundred times too long",
            () -> System.nanoTime() - begin > 100 * Configuration.TIMEOUT_MIN_NS);
        assertEquals(0, count(TransportCounter.CONSUMERS_EVICTED));
        send(60, 100);
        transports.awaitError("CONSUMER_EVICTED", "consumer evicted", "name=snail");
    }

    @Test
    void shouldCloseTheSubscriptionWhenTheLastConsumerIsEvicted() {
        paced.clear();
        graph.handleEventsWith(snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|" + SOON);
        fill();
        transports.awaitError("CONSUMER_EVICTED", "its last consumer was evicted");
        Await.until("the publisher to be told", () -> publication.offer(buffer) == Publication.NOT_CONNECTED);
        assertTrue(subscription.isClosed());
        assertTrue(snail.isHeld());
        final Thread closing = Thread.ofPlatform().start(subscriber::close);
        Await.end(closing);
        assertEquals(1, count(TransportCounter.MEMORY_ABANDONED), "it is not waited for, and not abandoned once more");
        snail.release();
        Await.until("its end", snail::hasEnded);
        assertEquals("", snail.changed());
    }

    @Test
    void shouldLetAnEvictedHandlerRejoinLive() {
        graph.handleEventsWith(fast, snail);
        snail.holdAt(HELD_AT);
        connect("ring=64|" + SOON);
        send(0, MESSAGES / 2);
        snail.release();
        Await.until("its end", snail::hasEnded);
        assertEquals("", snail.changed());
        final RereadingHandler again = new RereadingHandler("snail");
        final HandlerGraph second = new HandlerGraph();
        second.handleEventsWith(again);
        final Subscription live = subscriber.addSubscription(
            transports.channel("mode=dedicated|ring=64|" + SOON), STREAM_ID, second);
        Await.until("its image", () -> live.imageCount() == 1);
        paced.add(again);
        send(MESSAGES / 2, MESSAGES);
        awaitAll(fast);
        Await.until("the last message", () -> again.next() == MESSAGES);
        assertEquals(MESSAGES / 2, again.seen());
        assertEquals(0, again.wrong());
    }
}
