package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Publications of several transports that name the same session of a stream: one at a time has an image. */
class SameSessionTest {
    private static final int STREAM_ID = 6;
    private static final int SESSION_ID = 42;
    private static final byte[] FIRST = {1};
    private static final byte[] SECOND = {2};

    @RegisterExtension
    private final Transports transports = new Transports();

    static Stream<String> parameters() {
        return Transports.parameters();
    }

    private final AtomicBoolean isDrawing = new AtomicBoolean();

    private String channel(final String parameters) {
        return transports.channel("session-id=" + SESSION_ID + parameters.substring(parameters.indexOf("|log=")));
    }

    private List<String> told(final String text) {
        return transports.errors().stream().map(Throwable::getMessage)
            .filter(message -> message.contains("SESSION_IN_USE") && message.contains(text)).toList();
    }

    /** Each end is told once, however often the second publication asks. */
    private void awaitRefusals(final Transport second, final int count) {
        Await.until("refusals", () -> second.counters().get(TransportCounter.LINKS_REFUSED) >= count);
        for (final String text : List.of("link refused: reason=", "refuses a link: reason=")) {
            transports.awaitError(text, "sessionId=" + SESSION_ID, "another session-id");
            assertEquals(1, told(text).size(), () -> transports.errors().toString());
        }
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldRefuseASessionOfAnotherTransportUntilItHasEnded(final String parameters) {
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel(parameters), STREAM_ID);
        final Publication first = transports.launch().addExclusivePublication(channel(parameters), STREAM_ID);
        Transports.awaitConnected(first, subscription);
        final Transport other = transports.launch();
        final Publication second = other.addExclusivePublication(channel(parameters), STREAM_ID);

        awaitRefusals(other, 3);

        assertFalse(second.isConnected());
        Transports.offer(first, FIRST);
        assertArrayEquals(FIRST, Transports.receive(subscription, 1).getFirst());
        assertEquals(1, subscription.imageCount());
        first.close();
        Await.until("the second one", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return second.isConnected();
        });
        Transports.offer(second, SECOND);
        assertArrayEquals(SECOND, Transports.receive(subscription, 1).getFirst());
        assertEquals(1, told("refuses a link: reason=").size());
    }

    /** To choose another session-id is no advice to who has chosen none. */
    @Test
    void shouldSayWhatHelpsWhereTheSessionWasDrawn() {
        final Thread adding = Thread.currentThread();
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("log=copied"), STREAM_ID);
        Transports.awaitConnected(
            transports.launch().addExclusivePublication(channel("|log=copied"), STREAM_ID), subscription);
        final Transport drawing = transports.launch(context -> context.environment(
            new ForwardingEnvironment(SystemEnvironment.instance()) {
                @Override
                public long randomLong() {
                    return Thread.currentThread() == adding && isDrawing.get() ? SESSION_ID : super.randomLong();
                }
            }));
        isDrawing.set(true);
        drawing.addExclusivePublication(transports.channel("log=copied"), STREAM_ID);
        isDrawing.set(false);

        transports.awaitError("LINK_REFUSED",
            "link refused: reason=SESSION_IN_USE", "sessionId=" + SESSION_ID, "where it was drawn");
        transports.awaitError("LINK_REFUSED",
            "refuses a link: reason=SESSION_IN_USE", "this one was drawn", "add it anew");
        assertEquals(List.of(), told("refuses a link").stream().filter(text -> text.contains("session-id")).toList());
    }

    @Test
    void shouldResumeThePublicationThatHasTheImageWhileAnotherOneAsksForIt() {
        final FailNextWrite fault = new FailNextWrite();
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
        final Transport publishing = transports.launch(fault);
        final Publication first = publishing.addExclusivePublication(channel("|log=copied"), STREAM_ID);
        Transports.awaitConnected(first, subscription);
        final Transport other = transports.launch();
        final Publication second = other.addExclusivePublication(channel("|log=copied"), STREAM_ID);
        awaitRefusals(other, 1);

        fault.arm();
        Transports.offer(first, FIRST);
        assertArrayEquals(FIRST, Transports.receive(subscription, 1).getFirst());

        assertEquals(1, publishing.counters().get(TransportCounter.LINKS_RESUMED));
        assertFalse(second.isConnected());
        assertEquals(1, subscription.imageCount());
    }

    @Test
    void shouldRefuseTheSessionThatAnotherPublicationOfTheTransportHasDrawn() {
        final Transport transport = transports.launch();
        final String channel = transports.channel("log=copied");
        for (final Publication drawn : List.of(
            transport.addPublication(channel, STREAM_ID), transport.addExclusivePublication(channel, STREAM_ID))) {
            final String taken = transports.channel("session-id=" + drawn.sessionId() + "|log=copied");
            final String message = assertThrows(
                IllegalArgumentException.class, () -> transport.addExclusivePublication(taken, STREAM_ID)).getMessage();
            assertTrue(message.contains("session-id=" + drawn.sessionId()), message);
            drawn.close();
            transport.addExclusivePublication(taken, STREAM_ID).close();
        }
    }

    @Test
    void shouldTakeAnotherPublicationOfATransportAfterTheOneThatHadItsSession() {
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
        final Transport publishing = transports.launch();
        final Publication first = publishing.addExclusivePublication(channel("|log=copied"), STREAM_ID);
        Transports.awaitConnected(first, subscription);
        Transports.offer(first, FIRST);
        first.close();
        final Publication second = publishing.addExclusivePublication(channel("|log=copied"), STREAM_ID);

        assertArrayEquals(FIRST, Transports.receive(subscription, 1).getFirst());
        Await.until("the second one", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return second.isConnected();
        });
        Transports.offer(second, SECOND);

        assertArrayEquals(SECOND, Transports.receive(subscription, 1).getFirst());
        assertEquals(List.of(), transports.errors());
    }
}
