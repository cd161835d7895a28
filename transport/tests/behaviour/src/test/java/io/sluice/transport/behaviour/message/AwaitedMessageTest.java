package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that a subscription polls for in vain at first: it then looks for one at a time, and more often. */
class AwaitedMessageTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 4096;
    private static final int FRAME = 32;
    private static final int LARGE = 129;
    private static final int LARGE_FRAME = 160;
    private static final int BURSTS = 300;
    private static final int THROW_ONE_IN = 7;
    /** Polls after which one or the other goes the whole way. */
    private static final int LONG_PAUSE = 50;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final List<Integer> seen = new ArrayList<>();
    private ExclusivePublication publication;
    private Subscription subscription;
    private int sent;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void connect(final String parameters) {
        final Transport transport = transports.launch();
        subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        publication =
            transport.addExclusivePublication(transports.channel(parameters + "|window=" + WINDOW), STREAM_ID);
        Transports.awaitImages(subscription, 1);
    }

    private void send(final int messages) {
        for (int i = 0; i < messages; i++) {
            buffer.putInt(0, sent++);
            Await.until("room", () -> publication.offer(buffer, 0, Integer.BYTES) > 0);
        }
    }

    private void pollInVain(final int polls) {
        for (int i = 0; i < polls; i++) {
            assertEquals(0, subscription.poll(this::handle, 1));
        }
    }

    private void handle(final DirectBuffer message, final int offset, final int length, final Header header) {
        assertEquals(Integer.BYTES, length);
        assertEquals((seen.size() + 1L) * FRAME, header.position());
        assertEquals(publication.sessionId(), header.sessionId());
        seen.add(message.getInt(offset));
        if (seen.size() % THROW_ONE_IN == 0) {
            throw new IllegalStateException("intended");
        }
    }

    /** Over several laps. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutWhatComesAfterPausesOfEveryLength(final String parameters) {
        connect(parameters);
        for (int i = 0; i < BURSTS; i++) {
            pollInVain(i % 10 == 0 ? LONG_PAUSE + i / 10 : i % 10);
            send(1 + i % 3);
            Await.until("all messages", () -> {
                assertTrue(subscription.poll(this::handle, 2) <= 2);
                return seen.size() == sent;
            });
        }
        assertEquals(IntStream.range(0, sent).boxed().toList(), seen);
        Await.until("the position", () -> {
            pollInVain(1);
            return subscription.images().getFirst().position() == publication.position();
        });
        assertEquals(sent / THROW_ONE_IN, transports.errors().size());
    }

    /** A window is no multiple of their frames, so that padding is at the end of each lap. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutLoneMessagesBeyondTheEndOfALap(final String parameters) {
        connect(parameters);
        final UnsafeBuffer large = new UnsafeBuffer(new byte[LARGE]);
        final List<Integer> first = new ArrayList<>();
        for (int i = 0; i < BURSTS; i++) {
            pollInVain(3);
            large.putInt(0, i);
            Await.until("room", () -> publication.offer(large, 0, LARGE) > 0);
            Await.until("the message", () -> subscription.poll((message, offset, length, header) -> {
                assertEquals(LARGE, length);
                first.add(message.getInt(offset));
            }, 1) == 1);
        }
        assertEquals(IntStream.range(0, BURSTS).boxed().toList(), first);
        assertEquals(publication.position(), subscription.images().getFirst().position());
        assertTrue(publication.position() > (long) BURSTS * LARGE_FRAME, "there was padding");
    }

    /** The handler's exception went to an error handler that throws as well: the message counts as consumed. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutTheNextMessageWhenTheErrorHandlerThrows(final String parameters) {
        final Transport transport = transports.launch(context -> context.errorHandler(ex -> {
            throw new IllegalStateException("the error handler's", ex);
        }));
        subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        publication = transport.addExclusivePublication(transports.channel(parameters), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        for (int i = 0; i < BURSTS; i++) {
            pollInVain(i % 10);
            send(1);
            final int expected = i;
            Await.until("the message", () -> {
                final int seenBefore = seen.size();
                int thrown = 0;
                try {
                    subscription.poll((message, offset, length, header) -> {
                        seen.add(message.getInt(offset));
                        throw new IllegalArgumentException("the handler's");
                    }, 1);
                } catch (final IllegalStateException ex) {
                    assertEquals("the error handler's", ex.getMessage());
                    thrown = 1;
                }
                assertEquals(seenBefore + thrown, seen.size());
                return seen.size() == expected + 1;
            });
        }
        assertEquals(IntStream.range(0, sent).boxed().toList(), seen);
    }

    /** The consumer is busy elsewhere after it has handled one of them. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldMakeRoomWithThePollThatHandsOutAnEighthOfTheWindow(final String parameters) {
        connect(parameters);
        pollInVain(10);
        final UnsafeBuffer eighth = new UnsafeBuffer(new byte[WINDOW / 8 - FrameDescriptor.HEADER_LENGTH]);
        long sentBytes = 0;
        while (publication.offer(eighth, 0, eighth.capacity()) > 0) {
            sentBytes += WINDOW / 8;
        }
        assertEquals(WINDOW, sentBytes);
        Await.until("a message", () -> subscription.poll((message, offset, length, header) -> { }, 1) == 1);
        Await.until("room", () -> publication.offer(eighth, 0, eighth.capacity()) > 0);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldHandOutNothingToALimitOfZero(final String parameters) {
        connect(parameters);
        pollInVain(10);
        send(1);
        for (int i = 0; i < 10; i++) {
            assertEquals(0, subscription.poll(this::handle, 0));
        }
        Await.until("the message", () -> subscription.poll(this::handle, 1) == 1);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldEndTheImageAfterTheLastMessageThatWasAwaited(final String parameters) {
        connect(parameters);
        final Image image = subscription.images().getFirst();
        pollInVain(10);
        send(1);
        publication.close();
        Await.until("the end", () -> {
            subscription.poll(this::handle, 1);
            return image.isClosed();
        });
        assertTrue(image.isEndOfStream());
        assertEquals(List.of(0), seen);
    }
}
