package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PollTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 4096;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final List<Integer> seen = new ArrayList<>();
    private Transport transport;
    private ExclusivePublication publication;
    private Subscription subscription;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void connect(final String parameters) {
        transport = transports.launch();
        subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        publication = transport.addExclusivePublication(transports.channel(parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
    }

    private void send(final ExclusivePublication target, final int first, final int last) {
        for (int i = first; i <= last; i++) {
            buffer.putInt(0, i);
            assertTrue(target.offer(buffer, 0, 4) > 0);
        }
    }

    private void collect(final DirectBuffer message, final int offset, final int length, final Header header) {
        seen.add(message.getInt(offset));
    }

    /** Poll until a poll has handed out something. */
    private int pollOnce(final FragmentHandler handler, final int limit) {
        final int[] count = new int[1];
        Await.until("a message", () -> (count[0] = subscription.poll(handler, limit)) > 0);
        return count[0];
    }

    private int controlledPollOnce(final ControlledFragmentHandler handler, final int limit) {
        final int before = seen.size();
        final int[] count = new int[1];
        Await.until("a message", () -> {
            count[0] = subscription.controlledPoll(handler, limit);
            return seen.size() > before;
        });
        return count[0];
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutNoMoreThanTheLimit(final String parameters) {
        connect(parameters);
        send(publication, 1, 10);
        while (seen.size() < 10) {
            final int before = seen.size();
            final int count = pollOnce(this::collect, 3);
            assertTrue(count <= 3);
            assertEquals(count, seen.size() - before);
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), seen);
        assertEquals(0, subscription.poll(this::collect, 3));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutAnAbortedMessageAgain(final String parameters) {
        connect(parameters);
        send(publication, 1, 3);
        final List<Integer> handled = new ArrayList<>();
        Await.until("all messages", () -> {
            subscription.controlledPoll((message, offset, length, header) -> {
                final int value = message.getInt(offset);
                seen.add(value);
                if (seen.stream().filter(other -> other == value).count() < 3) {
                    return Action.ABORT;
                }
                handled.add(value);
                return Action.CONTINUE;
            }, 10);
            return handled.size() == 3;
        });
        assertEquals(List.of(1, 1, 1, 2, 2, 2, 3, 3, 3), seen);
        assertEquals(List.of(1, 2, 3), handled);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldNotCountAnAbortedMessage(final String parameters) {
        connect(parameters);
        send(publication, 1, 1);
        assertEquals(0, controlledPollOnce((message, offset, length, header) -> {
            seen.add(0);
            return Action.ABORT;
        }, 10));
        assertEquals(1, controlledPollOnce((message, offset, length, header) -> {
            seen.add(1);
            return Action.CONTINUE;
        }, 10));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldStopAfterAMessageThatBreaks(final String parameters) {
        connect(parameters);
        send(publication, 1, 5);
        for (int i = 1; i <= 5; i++) {
            final int count = controlledPollOnce((message, offset, length, header) -> {
                collect(message, offset, length, header);
                return Action.BREAK;
            }, 10);
            assertEquals(1, count);
        }
        assertEquals(List.of(1, 2, 3, 4, 5), seen);
    }

    /** A whole window goes round while the handler is inside; what it has committed before may be overwritten then. */
    @Test
    void shouldNotTakeCommittedMessagesForOverwrittenOnes() {
        connect("mode=dedicated|window=" + WINDOW);
        final byte[] message = new byte[publication.maxMessageLength()];
        final int[] messagesOfPoll = new int[1];
        final boolean[] done = new boolean[1];
        Await.until("two messages in one poll", () -> {
            publication.offer(new UnsafeBuffer(message), 0, message.length);
            publication.offer(new UnsafeBuffer(message), 0, message.length);
            messagesOfPoll[0] = 0;
            subscription.controlledPoll((content, offset, length, header) -> {
                if (++messagesOfPoll[0] == 2 && !done[0]) {
                    done[0] = true;
                    final long endOfFirst = header.position() - WINDOW / 8;
                    while (publication.position() < endOfFirst + WINDOW) {
                        Transports.offer(publication, message);
                    }
                }
                return Action.COMMIT;
            }, 10);
            return done[0];
        });
        assertEquals(List.of(), transports.errors());
    }

    /** At the end of a poll, at once when told to commit, and never that of a message that was aborted. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldPublishThePositionAsTheHandlerDirects(final String parameters) {
        connect(parameters);
        send(publication, 0, 199);
        final Image image = subscription.images().getFirst();
        final long[] published = new long[1];
        final long[] consumed = new long[1];
        final int[] counted = new int[1];
        Await.until("all messages", () -> {
            final int before = seen.size();
            final boolean[] stopped = new boolean[1];
            counted[0] += subscription.controlledPoll((message, offset, length, header) -> {
                assertEquals(published[0], image.position());
                assertFalse(stopped[0], "no message after BREAK or ABORT in the same poll");
                final int value = message.getInt(offset);
                final Action action = Action.values()[value * 7 / 3 % 4];
                final boolean isRepeated = seen.contains(-value - 1);
                if (action == Action.ABORT && !isRepeated) {
                    seen.add(-value - 1);
                    stopped[0] = true;
                    return Action.ABORT;
                }
                seen.add(value);
                consumed[0] = header.position();
                published[0] = action == Action.COMMIT ? header.position() : published[0];
                stopped[0] = action == Action.BREAK;
                return action == Action.ABORT ? Action.CONTINUE : action;
            }, 50);
            published[0] = consumed[0];
            assertEquals(published[0], image.position(), () -> "after the poll that began with " + before);
            return consumed[0] == publication.position();
        });
        assertEquals(200, counted[0]);
        assertEquals(IntStream.range(0, 200).boxed().toList(), seen.stream().filter(value -> value >= 0).toList());
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTellTheErrorHandlerWhatAHandlerThrowsAndGoOnBehindTheMessage(final String parameters) {
        connect(parameters);
        send(publication, 1, 6);
        Await.until("all messages", () -> {
            subscription.poll((message, offset, length, header) -> {
                collect(message, offset, length, header);
                if (message.getInt(offset) % 2 == 0) {
                    throw new IllegalArgumentException("bad " + message.getInt(offset));
                }
            }, 10);
            return seen.size() == 6;
        });
        assertEquals(List.of(1, 2, 3, 4, 5, 6), seen);
        assertEquals(
            List.of("bad 2", "bad 4", "bad 6"), transports.errors().stream().map(Throwable::getMessage).toList());
        assertEquals(0, subscription.poll(this::collect, 10), "what threw counts as consumed");
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTellTheErrorHandlerWhatAControlledHandlerThrows(final String parameters) {
        connect(parameters);
        send(publication, 1, 2);
        Await.until("all messages", () -> {
            subscription.controlledPoll((message, offset, length, header) -> {
                collect(message, offset, length, header);
                throw new OutOfMemoryError("pretended " + message.getInt(offset));
            }, 10);
            return seen.size() == 2;
        });
        assertEquals(List.of(1, 2), seen);
        assertEquals(2, transports.errors().size());
        assertTrue(transports.errors().getFirst() instanceof OutOfMemoryError);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldRefuseToBePolledByItsOwnHandler(final String parameters) {
        connect(parameters);
        send(publication, 1, 2);
        final AtomicReference<Exception> caught = new AtomicReference<>();
        Await.until("both messages", () -> {
            subscription.poll((message, offset, length, header) -> {
                collect(message, offset, length, header);
                caught.set(assertThrows(IllegalStateException.class, () -> subscription.poll(this::collect, 1)));
                assertThrows(IllegalStateException.class, () ->
                    subscription.controlledPoll((a, b, c, d) -> Action.CONTINUE, 1));
            }, 10);
            return seen.size() == 2;
        });
        assertTrue(caught.get().getMessage().contains("streamId=" + STREAM_ID), caught.get().getMessage());
        assertEquals(List.of(1, 2), seen);
        assertEquals(List.of(), transports.errors());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldNameTheOwnerToAnotherThreadThatPolls(final String parameters) throws Exception {
        connect(parameters);
        send(publication, 1, 1);
        final AtomicReference<Exception> caught = new AtomicReference<>();
        final Thread other = Thread.ofPlatform().name("the other one").start(() ->
            caught.set(assertThrows(IllegalStateException.class, () -> subscription.poll(this::collect, 1))));
        other.join();
        final String message = caught.get().getMessage();
        assertTrue(message.contains("owner=\"" + Thread.currentThread().getName() + "\""), message);
        assertTrue(message.contains("caller=\"the other one\" #" + other.threadId()), message);
        assertEquals(1, pollOnce(this::collect, 1), "the owner goes on");
    }

    @Test
    void shouldTakeTurnsBetweenImages() {
        connect("mode=invoker");
        final ExclusivePublication second = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(second, subscription);
        send(publication, 100, 119);
        send(second, 200, 219);
        while (seen.size() < 40) {
            pollOnce(this::collect, 1);
        }
        final long ofFirst = seen.subList(0, 20).stream().filter(value -> value < 200).count();
        assertTrue(ofFirst >= 8 && ofFirst <= 12, "turns: " + seen);
        assertEquals(20, seen.stream().filter(value -> value < 200).count());
    }

    @Test
    void shouldPollOneImageOnly() {
        connect("mode=invoker");
        final ExclusivePublication second = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitConnected(second, subscription);
        send(publication, 100, 102);
        send(second, 200, 202);
        final Image image = subscription.imageBySessionId(second.sessionId());
        Await.until("the image's messages", () -> {
            image.poll(this::collect, 10);
            return seen.size() == 3;
        });
        assertEquals(List.of(200, 201, 202), seen);
        Await.until("the other's message", () -> subscription.imageBySessionId(publication.sessionId()).controlledPoll(
            (message, offset, length, header) -> {
                collect(message, offset, length, header);
                return Action.BREAK;
            }, 10) == 1);
        Await.until("the rest", () -> {
            subscription.poll(this::collect, 10);
            return seen.size() == 6;
        });
        assertEquals(List.of(200, 201, 202, 100, 101, 102), seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mode=dedicated|receive-timestamps=true", "mode=dedicated", "mode=invoker"})
    void shouldTellWhenAMessageWasReceivedIfAPollerWasAskedTo(final String parameters) {
        connect(parameters);
        final long beforeNs = transport.context().environment().epochNs();
        send(publication, 1, 1);
        final long[] receivedNs = new long[1];
        pollOnce((message, offset, length, header) -> receivedNs[0] = header.receiveTimestampNs(), 1);
        if (parameters.contains("true")) {
            assertTrue(receivedNs[0] >= beforeNs, () -> receivedNs[0] + " before " + beforeNs);
        } else {
            assertEquals(Header.NO_TIMESTAMP, receivedNs[0]);
        }
    }

    @Test
    void shouldSayWhyAnImageCannotBePolledInDedicatedMode() {
        connect("mode=dedicated");
        final Image image = subscription.images().getFirst();
        final Exception ex = assertThrows(IllegalStateException.class, () -> image.poll(this::collect, 1));
        assertTrue(ex.getMessage().contains("INVOKER"), ex.getMessage());
        assertThrows(IllegalStateException.class, () -> image.controlledPoll((a, b, c, d) -> Action.CONTINUE, 1));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutNothingWhenClosed(final String parameters) {
        connect(parameters);
        final Image image = subscription.images().getFirst();
        send(publication, 1, 3);
        assertEquals(1, pollOnce(this::collect, 1));
        subscription.close();
        subscription.close();
        assertTrue(subscription.isClosed());
        assertEquals(0, subscription.poll(this::collect, 10));
        assertEquals(0, subscription.controlledPoll((a, b, c, d) -> Action.CONTINUE, 10));
        Await.until("the image to go", image::isClosed);
        assertEquals(0, subscription.poll(this::collect, 10));
        assertEquals(List.of(1), seen);
        Await.until("the publisher to be told", () -> publication.offer(buffer, 0, 4) == Publication.NOT_CONNECTED);
        assertSame(subscription, image.subscription());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldOfferFromWithinAHandler(final String parameters) {
        connect(parameters);
        final Subscription replies =
            transport.addSubscription(transports.channel("endpoint=back|" + parameters), STREAM_ID);
        final ExclusivePublication back =
            transport.addExclusivePublication(transports.channel("endpoint=back|" + parameters), STREAM_ID);
        Transports.awaitConnected(back, replies);
        send(publication, 1, 1);
        pollOnce((message, offset, length, header) -> assertTrue(back.offer(message, offset, length) > 0), 1);
        assertEquals(1, new UnsafeBuffer(Transports.receive(replies, 1).getFirst()).getInt(0));
        assertEquals(List.of(), transports.errors());
    }
}
