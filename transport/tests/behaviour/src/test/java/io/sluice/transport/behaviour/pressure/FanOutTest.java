package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One log, several subscriptions: who is waited for, who is left behind, and what everybody sees of it. */
class FanOutTest {
    private static final int STREAM_ID = 1;
    private static final int WINDOW = 4096;
    private static final int MESSAGE_LENGTH = 40;
    private static final int FRAME_LENGTH = 64;
    /** So many messages that the log is written several times over. */
    private static final int MESSAGES = 10 * WINDOW / FRAME_LENGTH;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private int next;

    static Stream<String> parameters() {
        return Transports.parameters();
    }

    private String channel(final String parameters) {
        return transports.fanOut(parameters);
    }

    /** A publication does not know the keys of subscriptions. */
    private static String log(final String parameters) {
        return parameters.substring(parameters.indexOf("log="));
    }

    private ExclusivePublication publish(final Transport transport, final String flowControl, final String parameters) {
        return transport.addExclusivePublication(
            channel("window=4k|fc=" + flowControl + "|" + log(parameters)), STREAM_ID);
    }

    private boolean offerNext(final ExclusivePublication publication) {
        for (int i = 0; i < MESSAGE_LENGTH; i += Integer.BYTES) {
            message.putInt(i, next);
        }
        final boolean offered = publication.offer(message, 0, MESSAGE_LENGTH) > 0;
        next += offered ? 1 : 0;
        return offered;
    }

    /** Offer so many messages, while others poll. */
    private void offer(final ExclusivePublication publication, final int count, final Consumer... polling) {
        final int end = next + count;
        Await.until(() -> "room for message " + next + " of " + end + " errors=" + transports.errors(), () -> {
            while (next < end && offerNext(publication)) {
                for (final Consumer consumer : polling) {
                    consumer.poll();
                }
            }
            for (final Consumer consumer : polling) {
                consumer.poll();
            }
            return next == end;
        }, Await.DEADLINE_SECONDS);
    }

    private void awaitAll(final Consumer consumer) {
        Await.until("everything", () -> {
            consumer.poll();
            return consumer.last() == next - 1;
        });
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldCloseALaggardUnderMaxAndTakeItBackLive(final String parameters) {
        final Transport publishing = transports.launch();
        final Transport subscribing = transports.launch(context -> context.clientName("snail"));
        final Consumer fast = new Consumer(publishing.addSubscription(channel(parameters), STREAM_ID));
        final Consumer slow = new Consumer(subscribing.addSubscription(channel(parameters), STREAM_ID));
        final ExclusivePublication publication = publish(publishing, "max", parameters);
        Transports.awaitConnected(publication, fast.subscription, slow.subscription);
        offer(publication, 3, fast, slow);
        awaitAll(slow);
        final Image old = slow.subscription.images().getFirst();

        offer(publication, MESSAGES, fast);
        awaitAll(fast);
        transports.awaitError("SUBSCRIBER_LOST",
            "subscription left behind", "client=snail", "subscriptionId=", "bytesBehind=",
            "sessionId=" + publication.sessionId(), "streamId=" + STREAM_ID);
        Await.until("it to come back", () -> {
            slow.poll();
            return old.isClosed() && slow.subscription.imageCount() == 1;
        });
        transports.awaitError("IMAGE_LOST", "image given up", "too slow");
        final Image back = slow.subscription.images().getFirst();
        assertNotSame(old, back);
        assertTrue(back.joinPosition() >= old.position(), "nothing twice");
        assertFalse(old.isEndOfStream());

        offer(publication, 3, fast, slow);
        awaitAll(fast);
        awaitAll(slow);
        fast.assertRuns(0);
        final long closed = publishing.counters().get(TransportCounter.LAGGARDS_CLOSED);
        assertTrue(closed >= 1);
        slow.assertRuns((int) closed);
        Await.until("each to be named once", () -> closed == transports.errors().stream()
            .filter(error -> error.getMessage().contains("subscription left behind")).count());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldWaitForTheTaggedAndNotForAFrozenOther(final String parameters) {
        final Transport transport = transports.launch();
        final Consumer tagged =
            new Consumer(transport.addSubscription(channel(parameters + "|gtag=7"), STREAM_ID));
        final Consumer other = new Consumer(transport.addSubscription(channel(parameters), STREAM_ID));
        final ExclusivePublication publication = publish(transport, "tagged,g:7", parameters);
        Transports.awaitConnected(publication, tagged.subscription, other.subscription);
        offer(publication, MESSAGES, tagged);
        awaitAll(tagged);
        assertTrue(transport.counters().get(TransportCounter.LAGGARDS_CLOSED) >= 1);

        final int before = next;
        for (int i = 0; i < MESSAGES; i++) {
            offerNext(publication);
        }
        assertTrue(next - before <= WINDOW / FRAME_LENGTH, "the tagged one is waited for");
        awaitAll(tagged);
        assertEquals(1, tagged.subscription.imageCount());
        tagged.assertRuns(0);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldWaitForTheSlowestWithMin(final String parameters) {
        final Transport transport = transports.launch();
        final Consumer fast = new Consumer(transport.addSubscription(channel(parameters), STREAM_ID));
        final Consumer slow = new Consumer(transport.addSubscription(channel(parameters), STREAM_ID));
        final ExclusivePublication publication = publish(transport, "min", parameters);
        Transports.awaitConnected(publication, fast.subscription, slow.subscription);
        Await.until("back-pressure", () -> {
            fast.poll();
            return !offerNext(publication);
        });
        assertTrue(publication.position() <= WINDOW);
        offer(publication, MESSAGES, fast, slow);
        awaitAll(fast);
        awaitAll(slow);
        fast.assertRuns(0);
        slow.assertRuns(0);
        assertEquals(0, transport.counters().get(TransportCounter.LAGGARDS_CLOSED));
    }

    @Test
    void shouldNotBeConnectedUntilTheGroupHasItsMinimum() {
        final Transport transport = transports.launch();
        final ExclusivePublication publication = publish(transport, "tagged,g:7/2", "log=shared");
        final Consumer first = new Consumer(transport.addSubscription(channel("gtag=7"), STREAM_ID));
        final Consumer other = new Consumer(transport.addSubscription(channel("gtag=8"), STREAM_ID));
        Transports.awaitConnected(publication, first.subscription, other.subscription);
        assertFalse(publication.isConnected());
        assertEquals(Publication.NOT_CONNECTED, publication.offer(message, 0, MESSAGE_LENGTH));
        assertEquals(0, publication.availableWindow());
        final Consumer second = new Consumer(transport.addSubscription(channel("gtag=7"), STREAM_ID));
        Await.until("the group", publication::isConnected);
        offer(publication, 1, first, other, second);
        awaitAll(first);
        awaitAll(second);
        awaitAll(other);
        second.subscription.close();
        Await.until("the group to be too small", () -> !publication.isConnected());
        assertEquals(Publication.NOT_CONNECTED, publication.offer(message, 0, MESSAGE_LENGTH));
    }

    /** Checks what every image delivers: gapless, each message once and whole. */
    private static final class Consumer {
        private final Subscription subscription;
        private final List<Integer> received = new ArrayList<>();
        private final List<String> wrong = new ArrayList<>();
        private Image image;
        private int gaps;

        Consumer(final Subscription subscription) {
            this.subscription = subscription;
        }

        void poll() {
            subscription.poll((buffer, offset, length, header) -> {
                final int number = buffer.getInt(offset);
                for (int i = 0; i < length; i += Integer.BYTES) {
                    check(number == buffer.getInt(offset + i), "a torn message", number);
                }
                if (!received.isEmpty() && number != last() + 1) {
                    check(image != header.image(), "a gap within an image", number);
                    check(number > last(), "twice", number);
                    gaps++;
                }
                image = header.image();
                received.add(number);
            }, 10);
        }

        private void check(final boolean right, final String what, final int number) {
            if (!right) {
                wrong.add(what + ": " + number + " after " + last());
            }
        }

        /** Every image was a gapless run, with at most so many gaps between them, and at least one if there may be. */
        void assertRuns(final int maxGaps) {
            assertEquals(List.of(), wrong);
            assertTrue(gaps <= maxGaps && (gaps > 0 || maxGaps == 0), "gaps=" + gaps + " closed=" + maxGaps);
        }

        int last() {
            return received.isEmpty() ? -1 : received.getLast();
        }
    }
}
