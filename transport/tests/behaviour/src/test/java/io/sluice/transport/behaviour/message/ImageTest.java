package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.AvailableImageHandler;
import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.UnavailableImageHandler;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageTest {
    private static final int STREAM_ID = 5;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<String> events = new CopyOnWriteArrayList<>();
    private Transport transport;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private Subscription subscribe(final String parameters) {
        transport = transports.launch();
        return transport.addSubscription(
            transports.channel(parameters),
            STREAM_ID,
            image -> events.add("available " + image.sessionId()),
            image -> events.add("unavailable " + image.sessionId()));
    }

    private void poll(final Subscription subscription) {
        subscription.poll((message, offset, length, header) ->
            events.add("message " + header.sessionId() + " " + message.getByte(offset)), 10);
    }

    private void awaitEvents(final Subscription subscription, final int count) {
        Await.until(() -> count + " events instead of " + events, () -> {
            poll(subscription);
            return events.size() >= count;
        }, Await.DEADLINE_SECONDS);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldBeAvailableBeforeItsFirstMessageAndUnavailableAfterItsLast(final String parameters) {
        final Subscription subscription = subscribe(parameters);
        for (int session = 1; session <= 5; session++) {
            final ExclusivePublication publication =
                transport.addExclusivePublication(
                    transports.channel("session-id=" + session + "|" + parameters), STREAM_ID);
            final byte[] message = {1};
            Transports.offer(publication, message);
            message[0] = 2;
            Transports.offer(publication, message);
            publication.close();
            awaitEvents(subscription, 4);
            assertEquals(
                List.of("available " + session, "message " + session + " 1", "message " + session + " 2",
                    "unavailable " + session),
                events);
            Await.until("the drain", publication::isDrained);
            events.clear();
        }
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutNothingBeforeTheAvailableHandlerReturns(final String parameters) throws Exception {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        transport = transports.launch();
        final String channel = transports.channel(parameters);
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID, image -> {
            entered.countDown();
            awaitLatch(release);
            events.add("available");
        }, image -> { });
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel("session-id=1|" + parameters), STREAM_ID);
        final byte[] message = {1};
        Await.until("the link", () -> {
            poll(subscription);
            return publication.isConnected();
        });
        Transports.offer(publication, message);
        while (entered.getCount() > 0) {
            poll(subscription);
        }
        for (int i = 0; i < 1_000; i++) {
            poll(subscription);
        }
        assertEquals(List.of(), events);
        assertEquals(0, subscription.imageCount());
        release.countDown();
        awaitEvents(subscription, 2);
        assertEquals(List.of("available", "message 1 1"), events);
    }

    private static void awaitLatch(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldStayAvailableUntilTheConsumerHasPassedTheEnd(final String parameters) {
        final Subscription subscription = subscribe(parameters);
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel("session-id=1|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.images().getFirst();
        Transports.offer(publication, new byte[] {1});
        Transports.offer(publication, new byte[] {2});
        publication.close();
        Await.until("one message", () ->
            subscription.poll((message, offset, length, header) -> events.add("one"), 1) == 1);
        Await.until("the drain", () -> {
            // drained means received: the second message is not consumed by a handler that aborts
            subscription.controlledPoll((a, b, c, d) -> ControlledFragmentHandler.Action.ABORT, 1);
            return publication.isDrained();
        });
        for (int i = 0; i < 1_000; i++) {
            subscription.controlledPoll((a, b, c, d) -> ControlledFragmentHandler.Action.ABORT, 1);
        }
        assertFalse(image.isClosed());
        assertFalse(image.isEndOfStream());
        assertEquals(64, image.endOfStreamPosition());
        awaitEvents(subscription, 4);
        assertEquals(List.of("available 1", "one", "message 1 2", "unavailable 1"), events);
        assertTrue(image.isClosed());
        assertTrue(image.isEndOfStream());
        assertEquals(64, image.position());
        assertEquals(0, subscription.imageCount());
        assertFalse(subscription.isConnected());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDescribeItself(final String parameters) {
        final Subscription subscription = subscribe(parameters);
        final ExclusivePublication first =
            transport.addExclusivePublication(transports.channel("session-id=71|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        Transports.offer(first, new byte[200]);
        Transports.receive(subscription, 1);
        final Image image = subscription.imageBySessionId(71);
        assertEquals(71, image.sessionId());
        assertEquals(0, image.joinPosition());
        assertEquals(Long.MAX_VALUE, image.endOfStreamPosition());
        assertFalse(image.isEndOfStream());
        assertFalse(image.isClosed());
        assertSame(subscription, image.subscription());
        assertEquals(List.of(image), subscription.images());
        assertTrue(image.sourceIdentity().contains(TestMedium.identity()), image.sourceIdentity());
        assertTrue(image.toString().contains("sessionId=71"), image.toString());
        assertNull(subscription.imageBySessionId(72));
        Await.until("consumption", () -> {
            poll(subscription);
            return image.position() == 224;
        });
        final Subscription late = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        Transports.awaitImages(late, 1);
        assertEquals(224, late.images().getFirst().joinPosition());
        assertEquals(224, late.images().getFirst().position());
        assertNotEquals(image, late.images().getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mode=invoker|log=shared", "mode=invoker|log=copied"})
    void shouldPollAnImageUpToAPosition(final String parameters) {
        final Subscription subscription = subscribe(parameters);
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel("session-id=1|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.imageAtIndex(0);
        events.clear();
        for (int i = 1; i <= 4; i++) {
            Transports.offer(publication, new byte[] {(byte) i});
        }
        final FragmentHandler handler =
            (message, offset, length, header) -> events.add("message " + message.getByte(offset));
        assertEquals(0, image.boundedPoll(handler, 0, 10));
        Await.until("what begins before 33", () -> {
            image.boundedPoll(handler, 33, 10);
            return events.size() == 2;
        });
        assertEquals(0, image.boundedPoll(handler, 64, 10), "nothing begins before it");
        assertEquals(64, image.position());
        assertEquals(1, image.boundedControlledPoll((message, offset, length, header) -> {
            handler.onFragment(message, offset, length, header);
            return ControlledFragmentHandler.Action.CONTINUE;
        }, 96, 10));
        assertEquals(0, image.boundedPoll(handler, -1, 10));
        assertEquals(1, image.poll(handler, 10), "no bound is left behind");
        assertEquals(List.of("message 1", "message 2", "message 3", "message 4"), events);
        assertEquals(128, image.position());
    }

    @Test
    void shouldRefuseToPollAnImageUpToAPositionOverARing() {
        final Subscription subscription = subscribe("mode=dedicated");
        transport.addExclusivePublication(transports.channel("session-id=1|mode=dedicated"), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.imageAtIndex(0);
        assertThrows(IllegalStateException.class, () -> image.boundedPoll((a, b, c, d) -> { }, 64, 1));
        assertThrows(IllegalStateException.class, () -> image.boundedControlledPoll(
            (a, b, c, d) -> ControlledFragmentHandler.Action.CONTINUE, 64, 1));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTellImagesOneByOne(final String parameters) {
        final Subscription subscription = subscribe(parameters);
        assertTrue(subscription.hasNoImages());
        assertThrows(IndexOutOfBoundsException.class, () -> subscription.imageAtIndex(0));
        subscription.forEachImage(image -> events.add("none"));
        transport.addExclusivePublication(transports.channel("session-id=1|" + parameters), STREAM_ID);
        transport.addExclusivePublication(transports.channel("session-id=2|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 2);
        assertFalse(subscription.hasNoImages());
        final List<Image> seen = new ArrayList<>();
        subscription.forEachImage(seen::add);
        assertEquals(subscription.images(), seen);
        assertEquals(seen, List.of(subscription.imageAtIndex(0), subscription.imageAtIndex(1)));
        assertFalse(events.contains("none"));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldSurviveImageHandlersThatThrow(final String parameters) {
        transport = transports.launch();
        final String channel = transports.channel(parameters);
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID, image -> {
            throw new IllegalStateException("from available");
        }, image -> {
            throw new IllegalStateException("from unavailable");
        });
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel("session-id=1|" + parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        transports.awaitError("from available");
        Transports.offer(publication, new byte[] {7});
        awaitEvents(subscription, 1);
        publication.close();
        Await.until("the end", () -> {
            poll(subscription);
            return subscription.imageCount() == 0;
        });
        transports.awaitError("from unavailable");
        assertEquals(List.of("message 1 7"), events);
    }

    /** Headers of regions, own and mapped, and queue pairs: what links consist of. */
    private int linkFiles() {
        return transports.fabric().files("r.*\\.h|q.*").size();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldReleaseAnImageWhoseHandlersThrowAndGoOnWithTheOthers(final String parameters) {
        transport = transports.launch();
        final Transport publisher = transports.launch();
        final String channel = transports.channel(parameters);
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID, image -> {
            throw new IllegalStateException("from available " + image.sessionId());
        }, image -> {
            throw new IllegalStateException("from unavailable " + image.sessionId());
        });
        final String publishing = transports.channel("window=32k|" + parameters);
        final ExclusivePublication stays = publisher.addExclusivePublication(publishing + "|session-id=1", STREAM_ID);
        Transports.awaitConnected(stays, subscription);
        final int files = linkFiles();
        final ExclusivePublication goes = publisher.addExclusivePublication(publishing + "|session-id=2", STREAM_ID);
        Transports.awaitConnected(goes, subscription);
        assertTrue(linkFiles() > files);
        Transports.offer(goes, new byte[] {7});
        goes.close();
        Await.until("the end", () -> {
            poll(subscription);
            return goes.isDrained() && subscription.imageCount() == 1;
        });
        awaitRelease(subscription, files);
        assertEquals(1, transport.counters().get(TransportCounter.LINKS_GONE));
        Transports.offer(stays, new byte[] {8});
        awaitEvents(subscription, 2);
        assertEquals(List.of("message 2 7", "message 1 8"), events);
        subscription.close();
        stays.close();
        Await.until("the memory to go", () -> transports.fabric().regions(32 * 1024) == 0);
        for (final String error : List.of("available 1", "available 2", "unavailable 1", "unavailable 2")) {
            transports.awaitError("from " + error);
        }
        assertEquals(4, transports.errors().size(), () -> transports.errors().toString());
    }

    private void awaitRelease(final Subscription subscription, final int files) {
        Await.until(() -> files + " files instead of " + transports.fabric().files(".*"), () -> {
            poll(subscription);
            return linkFiles() == files;
        }, Await.DEADLINE_SECONDS);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldKeepStreamsAndEndpointsApart(final String parameters) {
        transport = transports.launch();
        final List<Subscription> subscriptions = new ArrayList<>();
        final List<ExclusivePublication> publications = new ArrayList<>();
        for (final String endpoint : List.of("a", "b")) {
            for (int stream = 1; stream <= 2; stream++) {
                final String channel = transports.channel("window=4k|endpoint=" + endpoint + "|" + parameters);
                subscriptions.add(transport.addSubscription(channel, stream));
                publications.add(transport.addExclusivePublication(channel, stream));
            }
        }
        for (int i = 0; i < subscriptions.size(); i++) {
            Transports.awaitConnected(publications.get(i), subscriptions.get(i));
            assertEquals(1, subscriptions.get(i).imageCount());
        }
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < publications.size(); i++) {
                Transports.offer(publications.get(i), new byte[] {(byte) (10 * i)});
            }
            for (int i = 0; i < publications.size(); i++) {
                assertEquals((byte) (10 * i), Transports.receive(subscriptions.get(i), 1).getFirst()[0]);
            }
        }
    }

    @Test
    void shouldGiveEverySubscriptionEveryMessage() {
        transport = transports.launch();
        final Transport other = transports.launch();
        final List<Subscription> subscriptions = new ArrayList<>();
        for (final String parameters : parameters()) {
            subscriptions.add(transport.addSubscription(transports.fanOut(parameters), STREAM_ID));
            subscriptions.add(other.addSubscription(transports.fanOut(parameters), STREAM_ID));
        }
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.fanOut("window=4k"), STREAM_ID);
        Transports.awaitConnected(publication, subscriptions.toArray(Subscription[]::new));
        for (int round = 0; round < 200; round++) {
            Transports.offer(publication, new byte[] {(byte) round});
            for (final Subscription subscription : subscriptions) {
                assertEquals((byte) round, Transports.receive(subscription, 1).getFirst()[0]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTellTheContextsHandlersOfSubscriptionsWithoutTheirOwn(final String parameters) {
        final AvailableImageHandler available = image -> events.add("available");
        final UnavailableImageHandler unavailable = image -> events.add("unavailable");
        transport = transports.launch(
            context -> context.availableImageHandler(available).unavailableImageHandler(unavailable));
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> { });
        final String dedicated = transports.channel(parameters.replace("invoker", "dedicated"));
        final Subscription without = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        final Subscription handled = transport.addSubscription(dedicated, STREAM_ID, graph);
        final Subscription none = transport.addSubscription(transports.channel(parameters), STREAM_ID, null, null);
        assertSame(available, transport.context().availableImageHandler());
        assertSame(unavailable, transport.context().unavailableImageHandler());
        final Publication publication = transport.addPublication(transports.channel(""), STREAM_ID);
        final List<Subscription> all = List.of(without, handled, none);
        Await.until("images", () -> {
            poll(without);
            poll(none);
            return all.stream().allMatch(subscription -> subscription.imageCount() == 1);
        });
        publication.close();
        Await.until("their end", () -> {
            poll(without);
            poll(none);
            return all.stream().allMatch(Subscription::hasNoImages) && events.size() >= 4;
        });
        assertEquals(
            List.of("available", "available", "unavailable", "unavailable"), events.stream().sorted().toList());
        assertEquals(List.of(), transports.errors());
    }

    /** A null handler is for who does not want to know, wherever image handlers are taken. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldBeginAndEndWithoutHandlers(final String parameters) {
        transport = transports.launch();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith((event, sequence, endOfBatch) -> events.add("event"));
        final List<Subscription> subscriptions = List.of(
            transport.addSubscription(transports.channel(parameters), STREAM_ID, null, null),
            transport.addSubscription(transports.channel(parameters), STREAM_ID, null, null, null),
            transport.addSubscription(transports.channel(parameters), STREAM_ID,
                image -> events.add("available"), null),
            transport.addSubscription(transports.channel(parameters), STREAM_ID, null,
                image -> events.add("unavailable")),
            transport.addSubscription(transports.channel(parameters.replace("invoker", "dedicated")), STREAM_ID,
                graph, null, null));
        final List<Subscription> polled = subscriptions.subList(0, 4);
        final Publication publication = transport.addPublication(transports.channel(""), STREAM_ID);
        Await.until("images", () -> {
            polled.forEach(this::poll);
            return subscriptions.stream().allMatch(subscription -> subscription.imageCount() == 1);
        });
        Transports.offer(publication, new byte[] {1});
        publication.close();
        Await.until("the end", () -> {
            polled.forEach(this::poll);
            return subscriptions.stream().allMatch(subscription -> subscription.imageCount() == 0);
        });
        Await.until("all to be told", () -> events.size() == polled.size() + 3);
        assertEquals(List.of(), transports.errors());
    }
}
