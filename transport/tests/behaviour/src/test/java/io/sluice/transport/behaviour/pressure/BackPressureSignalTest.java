package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.States;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.PressureChanges;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.PressuredStream;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A publisher that is held up is told by whom, and when it is over. */
class BackPressureSignalTest {
    private static final int STREAM_ID = 1;
    private static final int WINDOW = 4096;
    private static final int RING = 8;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
    private final List<BackPressure> heardByAll = new CopyOnWriteArrayList<>();
    private final List<BackPressure> heard = new CopyOnWriteArrayList<>();
    private Transport transport;
    private ExclusivePublication publication;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void publish(final String parameters) {
        publication = transport.addExclusivePublication(
            transports.channel("window=4k" + (parameters.isEmpty() ? "" : "|" + parameters)), STREAM_ID);
        publication.backPressureListener(PressureChanges.into(heard));
    }

    private void fill() {
        long result;
        do {
            result = publication.offer(buffer);
        } while (result > 0);
        assertEquals(Publication.BACK_PRESSURED, result);
        assertEquals(BackPressureCause.WINDOW_EXHAUSTED, publication.backPressureCause(), "at once");
    }

    private static void assertChange(
        final BackPressure change, final PressureState state, final BackPressureCause cause) {
        assertEquals(state, change.state(), change::toString);
        assertEquals(cause, change.cause(), change::toString);
        assertEquals(STREAM_ID, change.streamId());
        assertTrue(change.durationNs() > 0, change::toString);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTellThePublisherWhoHasExhaustedTheWindowAndWhenThereIsRoomAgain(final String parameters) {
        transport = transports.launch(
            context -> context.clientName("signal").backPressureListener(PressureChanges.into(heardByAll)));
        final Subscription subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        publish(parameters);
        Transports.awaitImages(subscription, 1);
        assertEquals(BackPressureCause.NONE, publication.backPressureCause());
        fill();
        Await.until("BLOCKED", () -> publication.pressureState() == PressureState.BLOCKED);
        Await.until("the listener", () -> !heard.isEmpty() && heard.getLast().state() == PressureState.BLOCKED);
        final BackPressure overrun = heard.getLast();
        assertChange(overrun, PressureState.BLOCKED, BackPressureCause.WINDOW_EXHAUSTED);
        assertEquals(publication.sessionId(), overrun.sessionId());
        assertEquals(PressuredStream.Side.PUBLICATION, overrun.side());
        assertEquals(publication.channel(), overrun.channel());
        assertEquals(WINDOW, overrun.bytesBehind());
        assertTrue(overrun.laggard().contains("client=signal"), overrun::toString);
        Await.until("its lag", () -> publication.subscribers().size() == 1
            && publication.subscribers().getFirst().bytesBehind() == WINDOW);
        // the peer may have told by then which of its consumers it is, "poll of" itself
        assertTrue(overrun.laggard().endsWith(publication.subscribers().getFirst().peer()), overrun::toString);

        Await.until("room", () -> {
            subscription.poll((message, offset, length, header) -> { }, 1);
            return !heard.isEmpty() && heard.getLast().state() == PressureState.CLEAR;
        });
        final BackPressure clear = heard.getLast();
        assertChange(clear, PressureState.CLEAR, BackPressureCause.WINDOW_EXHAUSTED);
        assertEquals(PressureState.BLOCKED, clear.previous());
        assertEquals(BackPressureCause.NONE, publication.backPressureCause());
        Await.until("no lag", () -> {
            // who consumes tells of the last messages when it finds nothing
            subscription.poll((message, offset, length, header) -> { }, 1);
            return publication.subscribers().getFirst().bytesBehind() == 0;
        });
        Await.until("the context's listener", () -> heardByAll.containsAll(heard));
    }

    @Test
    void shouldTellTheSubscriberWhichConsumerHoldsItsRingUp() {
        transport = transports.launch();
        final CountDownLatch mayGo = new CountDownLatch(1);
        final AtomicInteger fast = new AtomicInteger();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("fast", (event, sequence, endOfBatch) -> fast.incrementAndGet()),
            MessageEventHandler.named("snail", (event, sequence, endOfBatch) -> mayGo.await()));
        final Subscription subscription = transport.addSubscription(
            transports.channel("mode=dedicated|ring=" + RING), STREAM_ID, graph);
        final List<BackPressure> ring = new CopyOnWriteArrayList<>();
        subscription.backPressureListener(ring::add);
        publish("");
        Await.until("a connection", publication::isConnected);
        for (int i = 0; i < 2 * RING; i++) {
            Transports.offer(publication, new byte[8]);
            final int handled = Math.min(i + 1, RING);
            Await.until("the fast one", () -> fast.get() == handled);
        }
        Await.until("a full ring", () -> !ring.isEmpty() && ring.getLast().state() == PressureState.BLOCKED);
        assertChange(ring.getLast(), PressureState.BLOCKED, BackPressureCause.RING_FULL);
        assertEquals("snail", ring.getLast().laggard());
        assertEquals(PressuredStream.Side.SUBSCRIPTION, ring.getLast().side());
        assertEquals(subscription.channel(), ring.getLast().channel());
        assertEquals(publication.sessionId(), ring.getLast().sessionId());
        assertTrue(ring.getLast().bytesBehind() > 0, ring::toString);
        mayGo.countDown();
        Await.until("room", () -> ring.getLast().state() == PressureState.CLEAR);
        Await.until("all messages", () -> fast.get() == 2 * RING);
        Await.until("room at last", () -> subscription.pressureState() == PressureState.CLEAR);
        assertEquals(List.of(), heard, "the window had room");
    }

    @Test
    void shouldTellTheSubscriberWhenAnotherConsumerHoldsItsRingUpAndWhoDidAtTheEnd() {
        transport = transports.launch();
        final CountDownLatch mayFirstGo = new CountDownLatch(1);
        final CountDownLatch maySecondGo = new CountDownLatch(1);
        final AtomicInteger handled = new AtomicInteger();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("first", (event, sequence, endOfBatch) -> mayFirstGo.await()),
            MessageEventHandler.named("second", (event, sequence, endOfBatch) -> {
                if (handled.getAndIncrement() == RING) {
                    maySecondGo.await();
                }
            }));
        final Subscription subscription = transport.addSubscription(
            transports.channel("mode=dedicated|ring=" + RING), STREAM_ID, graph);
        final List<BackPressure> ring = new CopyOnWriteArrayList<>();
        subscription.backPressureListener(ring::add);
        publish("");
        Await.until("a connection", publication::isConnected);
        for (int i = 0; i < 3 * RING; i++) {
            Transports.offer(publication, new byte[8]);
        }
        awaitLaggard(ring, "first");
        mayFirstGo.countDown();
        awaitLaggard(ring, "second");
        maySecondGo.countDown();
        Await.until("room", () -> ring.getLast().state() == PressureState.CLEAR);
        assertEquals("second", ring.getLast().laggard(), ring::toString);
    }

    /** Over a log that both look at: heartbeats tell how far it has come. */
    @Test
    void shouldTellTheSubscriberThatItsPollerHoldsTheWindowUpWhenTheConsumersHaveHandledAll() {
        assumeFalse(TestMedium.isRdma(), "a verbs device shares no memory: log=shared");
        final CountDownLatch mayPollerGo = new CountDownLatch(1);
        final AtomicBoolean isHeld = new AtomicBoolean();
        transport = transports.launch(context -> context.idleStrategies(
            name -> name.startsWith("sluice-poller") ? new HeldIdleStrategy(isHeld, mayPollerGo) : null));
        final AtomicInteger handled = new AtomicInteger();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("handler", (event, sequence, endOfBatch) -> handled.incrementAndGet()));
        final Subscription subscription = transport.addSubscription(
            transports.channel("mode=dedicated|log=shared"), STREAM_ID, graph);
        final List<BackPressure> ring = new CopyOnWriteArrayList<>();
        subscription.backPressureListener(ring::add);
        publish("log=shared");
        Await.until("a connection", publication::isConnected);
        Transports.offer(publication, new byte[8]);
        Await.until("the message", () -> handled.get() == 1);
        isHeld.set(true);
        fill();
        awaitLaggard(ring, "poller");
        mayPollerGo.countDown();
        Await.until("room", () -> ring.getLast().state() == PressureState.CLEAR);
    }

    private static void awaitLaggard(final List<BackPressure> changes, final String name) {
        Await.until(() -> name + " instead of " + changes, () -> !changes.isEmpty()
            && changes.getLast().state() == PressureState.BLOCKED && changes.getLast().laggard().equals(name),
            Await.DEADLINE_SECONDS);
    }

    @Test
    void shouldCountEveryChangeAndHoldNobodyUpWhileAListenerDoesNotReturn() {
        final CountDownLatch mayReturn = new CountDownLatch(1);
        transport = transports.launch(context -> context.backPressureListener(change -> await(mayReturn)));
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        publish("");
        Transports.awaitImages(subscription, 1);
        for (int i = 0; i < 5; i++) {
            final long changes = transport.counters().get(TransportCounter.BACK_PRESSURE_CHANGES);
            fill();
            Await.until("BLOCKED", () -> publication.pressureState() == PressureState.BLOCKED);
            Await.until("the listener", () -> heard.size() == 1);
            Await.until("CLEAR", () -> {
                subscription.poll((message, offset, length, header) -> { }, 1);
                return publication.pressureState() == PressureState.CLEAR;
            });
            Await.until("count", () -> transport.counters().get(TransportCounter.BACK_PRESSURE_CHANGES) >= changes + 2);
        }
        assertEquals(1, heard.size(), "the first one does not return");
        // nor that of the subscription, whose last change may be yet to come: afterwards it would be told
        Await.until("all others to be counted", () -> transport.counters().get(TransportCounter.BACK_PRESSURE_CHANGES)
            == transport.counters().get(TransportCounter.BACK_PRESSURE_UNREPORTED) + 2);
        mayReturn.countDown();
        Await.until("where it has led", () -> heard.size() == 2);
        assertEquals(PressureState.CLEAR, heard.getLast().state());
    }

    @Test
    void shouldTellThatItIsOverWhenTheListenerReturnsAfterTheEndOfThePublication() {
        final CountDownLatch mayReturn = new CountDownLatch(1);
        transport = transports.launch(context -> context.backPressureListener(change -> await(mayReturn)));
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel(""), STREAM_ID);
        publish("linger=1ms");
        Transports.awaitImages(subscription, 1);
        fill();
        Await.until("the listener", () -> heard.size() == 1);
        publication.close();
        Await.until("the end", () -> States.isReleased(publication));
        assertEquals(1, heard.size(), "the first one does not return");
        mayReturn.countDown();
        Await.until("that it is over", () -> heard.getLast().state() == PressureState.CLEAR);
    }

    @Test
    void shouldHandOutTheMessagesOfANewImageAndCloseItWhileAListenerDoesNotReturn() {
        final CountDownLatch mayReturn = new CountDownLatch(1);
        transport = transports.launch(context -> context.backPressureListener(change -> await(mayReturn)));
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        publish("");
        Transports.awaitImages(subscription, 1);
        fill();
        Await.until("the listener", () -> heard.size() == 1);
        final AtomicInteger gone = new AtomicInteger();
        final Subscription added = transport.addSubscription(
            transports.channel(""), STREAM_ID + 1, image -> { }, image -> gone.incrementAndGet());
        try (Publication fresh = transport.addExclusivePublication(transports.channel(""), STREAM_ID + 1)) {
            Transports.awaitConnected(fresh, added);
            Transports.offer(fresh, new byte[1]);
            Transports.receive(added, 1);
        }
        Await.until("the end of the image", () -> {
            added.poll((message, offset, length, header) -> { }, 1);
            return gone.get() == 1;
        });
        mayReturn.countDown();
    }

    /** Over a log that both look at: heartbeats tell how far it has come, since no completion does. */
    @Test
    void shouldTellThatNobodyPollsAndThatItIsOverWithTheStream() {
        assumeFalse(TestMedium.isRdma(), "a verbs device shares no memory: log=shared");
        final String parameters = "log=shared";
        transport = transports.launch();
        final Subscription subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        final List<BackPressure> idle = new CopyOnWriteArrayList<>();
        subscription.backPressureListener(idle::add);
        publish(parameters);
        Transports.awaitImages(subscription, 1);
        fill();
        Await.until("BLOCKED", () -> !idle.isEmpty() && idle.getLast().state() == PressureState.BLOCKED);
        assertChange(idle.getLast(), PressureState.BLOCKED, BackPressureCause.WINDOW_EXHAUSTED);
        assertEquals("poll", idle.getLast().laggard());
        assertEquals(WINDOW, idle.getLast().bytesBehind());
        Await.until("the publisher's listener",
            () -> !heard.isEmpty() && heard.getLast().state() == PressureState.BLOCKED);
        publication.close();
        subscription.close();
        Await.until("the end", () -> heard.getLast().state() == PressureState.CLEAR
            && idle.getLast().state() == PressureState.CLEAR);
        assertEquals(publication.sessionId(), idle.getLast().sessionId(), "the image has gone");
        assertEquals(BackPressureCause.NONE, publication.backPressureCause());
        assertEquals(List.of(), publication.subscribers());
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Keeps its thread from going on, once it is to. */
    private record HeldIdleStrategy(AtomicBoolean isHeld, CountDownLatch mayGo) implements IdleStrategy {
        @Override
        public void idle(final int workCount) {
            idle();
        }

        @Override
        public void idle() {
            if (isHeld.get()) {
                await(mayGo);
            }
        }

        @Override
        public void reset() {
            // nothing is remembered
        }
    }
}
