package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.DeviceNews;
import io.sluice.transport.harness.PressureChanges;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.harness.UndersizedQueues;
import io.sluice.transport.harness.UndersizedQueues.Kind;
import io.sluice.transport.harness.UndersizedQueues.Manner;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All links that an overrun completion queue served go on, whichever it was, and everybody is told why they had to
 * wait.
 */
class CompletionQueueOverrunTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 2_000;
    private static final int PUBLICATIONS = 3;
    /** Length of a message, of which a window of 64 KiB takes eight. */
    private static final int LARGE = 8_000;
    private static final long HEARTBEAT_INTERVAL_NS = 5_000_000L;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final Map<Integer, List<BackPressure>> heard = new HashMap<>();
    private final Map<Integer, Integer> received = new HashMap<>();
    private UndersizedQueues queues;
    private final DeviceNews news = new DeviceNews();
    private Runnable whilePolling = () -> { };

    private Transport launch(
        final UnaryOperator<Context> settings, final Kind kind, final Manner manner, final int capacity) {
        return launch(settings, kind, manner, capacity, 1);
    }

    private Transport launch(
        final UnaryOperator<Context> settings, final Kind kind, final Manner manner, final int capacity,
        final int count) {
        return transports.launch(settings, device -> {
            queues = new UndersizedQueues(news.of(device), kind, manner, capacity, count);
            return queues;
        });
    }

    private void publish(final Transport transport, final int count, final Subscription subscription) {
        for (int i = 0; i < count; i++) {
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel("window=64k|log=copied"), STREAM_ID);
            final List<BackPressure> changes = new CopyOnWriteArrayList<>();
            publication.backPressureListener(PressureChanges.into(changes));
            publications.add(publication);
            heard.put(publication.sessionId(), changes);
            received.put(publication.sessionId(), 0);
            Transports.awaitConnected(publication, subscription);
        }
    }

    /** Each message says which it is; a subscription polls between them. */
    private void send(final Subscription subscription) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        for (int i = 1; i <= MESSAGES; i++) {
            message.putInt(0, i);
            for (final ExclusivePublication publication : publications) {
                Await.until("room", () -> {
                    final boolean isSent = publication.offer(message) > 0;
                    return isSent || poll(subscription);
                });
            }
            poll(subscription);
        }
        Await.until(() -> "all messages: " + received, () -> {
            poll(subscription);
            return received.values().stream().allMatch(count -> count == MESSAGES);
        }, Await.DEADLINE_SECONDS);
    }

    private boolean poll(final Subscription subscription) {
        whilePolling.run();
        subscription.poll((buffer, offset, length, header) -> {
            final int number = buffer.getInt(offset);
            assertEquals(received.merge(header.sessionId(), 1, Integer::sum), number, "none lost, none twice");
        }, 64);
        return false;
    }

    private static void assertToldOnce(final List<BackPressure> changes) {
        Await.until(() -> "CLEAR at last: " + changes,
            () -> !changes.isEmpty() && changes.getLast().state() == PressureState.CLEAR, Await.DEADLINE_SECONDS);
        assertEquals(1, changes.stream().filter(change -> change.state() == PressureState.BLOCKED
            && change.cause() == BackPressureCause.CQ_OVERRUN).count(), changes::toString);
    }

    private static void assertOverrun(final Transport transport) {
        assertTrue(transport.counters().get(TransportCounter.DEVICE_EVENTS) >= 1, "IBV_EVENT_CQ_ERR");
        assertEquals(1, transport.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldMakeTheQueueAnewThatAllLinksOfASubscriptionShare(final String mode) {
        final Transport subscribing = launch(context -> context, Kind.RECEIVES, Manner.LATE, 8);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=" + mode), STREAM_ID);
        final List<BackPressure> own = new CopyOnWriteArrayList<>();
        subscription.backPressureListener(own::add);
        final Transport publishing = transports.launch();
        publish(publishing, PUBLICATIONS, subscription);
        send(subscription);
        assertOverrun(subscribing);
        heard.values().forEach(CompletionQueueOverrunTest::assertToldOnce);
        assertToldOnce(own);
        assertEquals(PUBLICATIONS, subscription.imageCount());
        assertEquals(PUBLICATIONS, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertTrue(publishing.counters().get(TransportCounter.LINKS_RESUMED) >= PUBLICATIONS);
        transports.awaitError("LINK_FAILED", " has overrun: capacity=", "subscription of streamId=" + STREAM_ID);
    }

    /**
     * The begin and the end of the overrun come while the listener is still at the pressure before: once free it is
     * told of both.
     */
    @Test
    void shouldTellWhoWasStillAtAnotherChangeOfAnOverrunThatIsOver() {
        final Transport subscribing = launch(context -> context, Kind.RECEIVES, Manner.LATE, 8);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=invoker"), STREAM_ID);
        publish(transports.launch(), 1, subscription);
        final ExclusivePublication publication = publications.getFirst();
        final List<BackPressure> changes = heard.get(publication.sessionId());
        final CountDownLatch mayGo = new CountDownLatch(1);
        publication.backPressureListener(change -> {
            PressureChanges.into(changes).onBackPressure(change);
            awaitUninterrupted(mayGo);
        });
        // seven eighths of the window, in fewer messages than the queue has places for
        final UnsafeBuffer large = new UnsafeBuffer(new byte[LARGE]);
        for (int i = 0; i < 7; i++) {
            assertTrue(publication.offer(large) > 0);
        }
        Await.until("a listener that does not return", () -> !changes.isEmpty());
        assertEquals(PressureState.PRESSURED, changes.getFirst().state());

        overrun(publication, subscription);
        mayGo.countDown();

        assertToldOnce(changes);
        assertEquals(List.of(PressureState.PRESSURED, PressureState.BLOCKED, PressureState.CLEAR),
            changes.stream().map(BackPressure::state).toList(), changes::toString);
        assertEquals(PressureState.PRESSURED, changes.get(1).previous(), changes::toString);
    }

    /** Each is news: what links have broken for, and at what time. */
    @Test
    void shouldTellOfASecondOverrunWhenTheListenerWasStillAtTheFirst() {
        final Transport subscribing = launch(context -> context, Kind.RECEIVES, Manner.LATE, 8, 2);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=invoker"), STREAM_ID);
        final Transport publishing = transports.launch();
        publish(publishing, 1, subscription);
        final ExclusivePublication publication = publications.getFirst();
        final List<BackPressure> changes = heard.get(publication.sessionId());
        final CountDownLatch mayGo = new CountDownLatch(1);
        publication.backPressureListener(change -> {
            PressureChanges.into(changes).onBackPressure(change);
            awaitUninterrupted(mayGo);
        });
        overrun(publication, subscription);
        Await.until("a link that has been resumed",
            () -> publishing.counters().get(TransportCounter.LINKS_RESUMED) == 1 && publication.isConnected());
        overrun(publication, subscription);
        assertEquals(2, subscribing.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
        assertEquals(1, changes.size(), "the first one does not return");
        mayGo.countDown();

        Await.until(() -> "both: " + changes,
            () -> changes.getLast().state() == PressureState.CLEAR, Await.DEADLINE_SECONDS);
        assertEquals(List.of(BackPressureCause.CQ_OVERRUN, BackPressureCause.CQ_OVERRUN),
            changes.stream().filter(change -> change.state() == PressureState.BLOCKED).map(BackPressure::cause)
                .toList(), changes::toString);
        assertEquals(PressureState.CLEAR, changes.get(1).previous(), changes::toString);
    }

    /** Let a receive queue overrun, and wait until that is over. */
    private static void overrun(final ExclusivePublication publication, final Subscription subscription) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
        // more than a device has places for that rounds up
        for (int i = 0; i < 32; i++) {
            assertTrue(publication.offer(message) > 0);
        }
        Await.until("the overrun", () -> publication.pressureState() == PressureState.BLOCKED);
        Await.until("its end", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 64);
            return publication.pressureState() == PressureState.CLEAR;
        });
    }

    private static void awaitUninterrupted(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The device tells so late that all links that the queue served have broken, for all that was known. */
    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldMakeTheQueueAnewThatTheDeviceTellsOfTooLate(final String mode) {
        news.withholdOverruns();
        final Transport subscribing = launch(context -> context, Kind.RECEIVES, Manner.LATE, 8);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=" + mode), STREAM_ID);
        final Transport publishing = transports.launch();
        publish(publishing, PUBLICATIONS, subscription);
        whilePolling = () -> {
            if (news.isWithholding() && isBroken(publishing) && isBroken(subscribing)) {
                assertEquals(0, subscribing.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS), "unknown");
                news.tellOverruns();
            }
        };
        send(subscription);
        assertOverrun(subscribing);
        heard.values().forEach(CompletionQueueOverrunTest::assertToldOnce);
        assertEquals(PUBLICATIONS, subscription.imageCount());
        assertEquals(PUBLICATIONS, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
    }

    /** The set-up was begun with the dead queue: its end must be told to the publication, which waits for it. */
    @Test
    void shouldResumeALinkThatIsBeingSetUpWhenTheDeviceTells() {
        news.withholdOverruns();
        final Transport subscribing = launch(context -> context, Kind.RECEIVES, Manner.LATE, 8);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=invoker"), STREAM_ID);
        final Transport publishing = transports.launch();
        publish(publishing, 1, subscription);
        news.holdSetups();
        whilePolling = () -> {
            if (news.isWithholding() && news.isHoldingSetup()) {
                news.tellOverruns();
            }
            if (subscribing.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS) == 1) {
                news.letSetupsGo();
            }
        };
        send(subscription);
        assertOverrun(subscribing);
        heard.values().forEach(CompletionQueueOverrunTest::assertToldOnce);
        assertEquals(1, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
    }

    private static boolean isBroken(final Transport transport) {
        return transport.counters().get(TransportCounter.LINKS_BROKEN) >= PUBLICATIONS;
    }

    @Test
    void shouldMakeTheQueueOfFeedbackAnew() {
        TestMedium.assumeSoftware();
        final Transport subscribing =
            launch(context -> context.links(new LinkOptions().signalInterval(1)), Kind.WRITES, Manner.LYING, 2);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=invoker"), STREAM_ID);
        publish(transports.launch(), 1, subscription);
        send(subscription);
        assertOverrun(subscribing);
        heard.values().forEach(CompletionQueueOverrunTest::assertToldOnce);
    }

    @Test
    void shouldMakeTheControlConnectionAnew() {
        final Transport subscribing = launch(
            context -> context.timeouts(new Timeouts().heartbeatIntervalNs(HEARTBEAT_INTERVAL_NS)),
            Kind.CONTROL, Manner.LYING, 16);
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=invoker"), STREAM_ID);
        final Transport publishing = transports.launch();
        final List<BackPressure> own = new CopyOnWriteArrayList<>();
        subscription.backPressureListener(own::add);
        publish(publishing, 1, subscription);
        assertEquals(0, subscribing.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
        queues.hold();
        Await.until("the link to go on over another connection", () -> {
            poll(subscription);
            return publishing.counters().get(TransportCounter.LINKS_RESUMED) >= 1;
        });
        assertOverrun(subscribing);
        send(subscription);
        assertToldOnce(own);
        assertEquals(1, subscription.imageCount());
        assertEquals(1, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
        transports.awaitError("LINK_FAILED", " has overrun: capacity=", "control connection");
    }
}
