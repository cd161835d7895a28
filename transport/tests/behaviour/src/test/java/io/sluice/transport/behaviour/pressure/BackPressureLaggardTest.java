package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A publication under pressure names whom it waits for, which the flow control decides, and how far that one is. */
class BackPressureLaggardTest {
    private static final int STREAM_ID = 1;
    /** Length of a message with its header. */
    private static final int FRAME_LENGTH = 1024;
    private static final byte[] MESSAGE = new byte[FRAME_LENGTH - 24];
    private static final int MESSAGES = 3;
    private static final String CHANNEL = "window=64k|log=copied|mode=invoker";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final List<BackPressure> heard = new CopyOnWriteArrayList<>();
    private ExclusivePublication publication;

    private Subscription subscribe(final String client, final String parameters) {
        return transports.launch(context -> context.clientName(client))
            .addSubscription(transports.fanOut(CHANNEL + parameters), STREAM_ID);
    }

    private void publish(final String flowControl, final Subscription... subscriptions) {
        publication = transports.launch().addExclusivePublication(
            transports.fanOut(CHANNEL + "|fc=" + flowControl), STREAM_ID);
        Transports.awaitConnected(publication, subscriptions);
        publication.backPressureListener(heard::add);
    }

    /** Some messages that these have consumed, and the others have not; the publication knows. */
    private void consume(final Subscription... subscriptions) {
        for (int i = 0; i < MESSAGES; i++) {
            Transports.offer(publication, MESSAGE);
        }
        for (final Subscription subscription : subscriptions) {
            assertEquals(MESSAGES, Transports.receive(subscription, MESSAGES).size());
        }
        Await.until("it to be known", () -> {
            for (final Subscription subscription : subscriptions) {
                // who consumes tells of it when it finds nothing
                subscription.poll((buffer, offset, length, header) -> { }, 1);
            }
            return publication.subscribers().stream()
                .filter(lag -> lag.consumedPosition() == publication.position()).count() == subscriptions.length;
        });
    }

    private BackPressure awaitRefusal() {
        final UnsafeBuffer message = new UnsafeBuffer(MESSAGE);
        Await.until("a refusal", () -> publication.offer(message) == Publication.BACK_PRESSURED);
        Await.until(() -> "BLOCKED instead of " + heard,
            () -> !heard.isEmpty() && heard.getLast().state() == PressureState.BLOCKED, Await.DEADLINE_SECONDS);
        assertEquals(BackPressureCause.WINDOW_EXHAUSTED, heard.getLast().cause());
        return heard.getLast();
    }

    @Test
    void shouldNameTheSlowestOfAll() {
        final Subscription quick = subscribe("quick", "");
        final Subscription slow = subscribe("slow", "");
        publish("min", quick, slow);
        consume(quick);
        final BackPressure refusal = awaitRefusal();
        assertTrue(refusal.laggard().contains("client=slow"), refusal::toString);
        assertEquals(publication.position(), refusal.bytesBehind(), refusal::toString);
    }

    /** The others may be left behind, and are not far enough behind for that. */
    @ParameterizedTest
    @ValueSource(strings = {"max", "tagged,g:7"})
    void shouldNameTheFastestWhereNobodyElseIsWaitedFor(final String flowControl) {
        final Subscription slow = subscribe("slow", "");
        final Subscription quick = subscribe("quick", "");
        publish(flowControl, slow, quick);
        consume(quick);
        final BackPressure refusal = awaitRefusal();
        assertTrue(refusal.laggard().contains("client=quick"), refusal::toString);
        assertEquals(publication.position() - MESSAGES * FRAME_LENGTH, refusal.bytesBehind(), refusal::toString);
    }

    @Test
    void shouldNameTheSlowestOfTheGroup() {
        final Subscription others = subscribe("other", "");
        final Subscription quick = subscribe("quick", "|gtag=7");
        final Subscription slow = subscribe("slow", "|gtag=7");
        publish("tagged,g:7", others, quick, slow);
        consume(quick, slow);
        consume(quick);
        final BackPressure refusal = awaitRefusal();
        assertTrue(refusal.laggard().contains("client=slow"), refusal::toString);
        assertEquals(publication.position() - MESSAGES * FRAME_LENGTH, refusal.bytesBehind(), refusal::toString);
    }

    /** The publication is held up all the while, first by the one, then by the other; and then no more. */
    @Test
    void shouldNameAnotherOneWhileThePressureStaysAndWhoWasToldLastWhenItIsOver() {
        final Subscription first = subscribe("first", "");
        final Subscription second = subscribe("second", "");
        publish("min", first, second);
        consume(second);
        final BackPressure refusal = awaitRefusal();
        assertTrue(refusal.laggard().contains("client=first"), refusal::toString);
        final int messages = (int) (publication.position() / FRAME_LENGTH);
        assertEquals(messages, Transports.receive(first, messages).size());
        Await.until(() -> "the other name instead of " + heard, () -> {
            // who consumes tells of it when it finds nothing
            first.poll((buffer, offset, length, header) -> { }, 1);
            return heard.getLast().laggard().contains("client=second");
        }, Await.DEADLINE_SECONDS);
        final BackPressure renamed = heard.getLast();
        assertEquals(PressureState.BLOCKED, renamed.state(), renamed::toString);
        assertEquals(PressureState.BLOCKED, renamed.previous(), renamed::toString);
        assertNotEquals(refusal.durationNs(), renamed.durationNs(), "of the state before that");
        assertEquals(publication.position() - MESSAGES * FRAME_LENGTH, renamed.bytesBehind(), renamed::toString);
        final UnsafeBuffer message = new UnsafeBuffer(MESSAGE);
        // which the first one has yet to consume when the second one has
        for (int i = 0; i < MESSAGES; i++) {
            Await.until("room", () -> {
                second.poll((buffer, offset, length, header) -> { }, 1);
                return publication.offer(message) > 0;
            });
        }
        Await.until(() -> "CLEAR instead of " + heard, () -> {
            second.poll((buffer, offset, length, header) -> { }, messages);
            return heard.getLast().state() == PressureState.CLEAR;
        }, Await.DEADLINE_SECONDS);
        // where this thread rested, the first one may have been told once more: it has the last messages yet to consume
        assertEquals(heard.get(heard.size() - 2).laggard(), heard.getLast().laggard(), heard::toString);
    }
}
