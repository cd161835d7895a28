package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.DeviceNews;
import io.sluice.transport.harness.TestCard;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.harness.UndersizedQueues;
import io.sluice.transport.harness.UndersizedQueues.Kind;
import io.sluice.transport.harness.UndersizedQueues.Manner;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A device that does not resize completion queues: when one has no room for one more link, that link alone is refused,
 * with the numbers, until another one has made room.
 */
class CompletionQueueFullTest {
    private static final int STREAM_ID = 1;
    /** The number of links that a completion queue has room for from the start. */
    private static final int LINKS = 8;
    private static final int ROUNDS = 4;
    private static final String[] NUMBERS = {
        "no room for one more link", (TestMedium.isRdma() ? "queuePairs=" : "linkEnds=") + LINKS + " ", "needed=",
        "capacity="
    };

    @RegisterExtension
    private final Transports transports = new Transports();

    private final DeviceNews news = new DeviceNews();
    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);

    private Transport launchFixed(final Kind kind) {
        TestCard.assumeResizing();
        return transports.launch(context -> context,
            device -> new UndersizedQueues(news.of(device), kind, Manner.FIXED, 0, Integer.MAX_VALUE));
    }

    private void publish(final Transport transport) {
        publications.add(transport.addExclusivePublication(
            transports.fanOut("window=64k|log=copied"), STREAM_ID));
    }

    private void subscribe(final Transport transport) {
        subscriptions.add(transport.addSubscription(transports.fanOut("log=copied|mode=invoker"), STREAM_ID));
    }

    /** Every subscription receives a message of each of these. */
    private void assertDelivers(final List<ExclusivePublication> sending, final List<Subscription> receiving) {
        final int[] received = new int[receiving.size()];
        for (final ExclusivePublication publication : sending) {
            Await.until("room", () -> publication.offer(message) > 0);
        }
        Await.until("every message", () -> {
            for (int i = 0; i < received.length; i++) {
                received[i] += receiving.get(i).poll((buffer, offset, length, header) -> { }, 64);
            }
            return IntStream.of(received).allMatch(count -> count == sending.size());
        });
    }

    private static void assertUntouched(final Transport transport, final int established) {
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_BROKEN));
        assertEquals(established, transport.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertEquals(0, transport.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
    }

    /** One publication more than a subscription has room for. */
    private void publishAll(final Transport publishing, final Transport subscribing) {
        subscribe(subscribing);
        final Subscription subscription = subscriptions.getFirst();
        for (int i = 0; i < LINKS; i++) {
            publish(publishing);
            Transports.awaitConnected(publications.get(i), subscription);
        }
        publish(publishing);
        transports.awaitError(NUMBERS);
        transports.awaitError("LINK_REFUSED", "refuses a link: reason=RESOURCES", "no room for one more link");
    }

    /** One subscription more than a publication has room for. */
    private void subscribeAll(final Transport publishing, final Transport subscribing) {
        for (int i = 0; i < LINKS; i++) {
            subscribe(subscribing);
        }
        publish(publishing);
        Transports.awaitConnected(publications.getFirst(), subscriptions.toArray(Subscription[]::new));
        subscribe(subscribing);
        transports.awaitError(NUMBERS);
    }

    @Test
    void shouldRefuseAPublicationThatASubscriptionHasNoRoomFor() {
        final Transport subscribing = launchFixed(Kind.RECEIVES);
        final Transport publishing = transports.launch();
        publishAll(publishing, subscribing);
        final Publication refused = publications.getLast();
        assertEquals(Publication.NOT_CONNECTED, refused.offer(message));
        assertDelivers(publications.subList(0, LINKS), subscriptions);
        assertUntouched(publishing, LINKS);
        publications.removeFirst().close();
        Transports.awaitConnected(refused, subscriptions.getFirst());
        assertDelivers(publications, subscriptions);
        assertUntouched(publishing, LINKS + 1);
    }

    @Test
    void shouldRefuseASubscriptionThatAPublicationHasNoRoomFor() {
        final Transport publishing = launchFixed(Kind.WRITES);
        subscribeAll(publishing, transports.launch());
        final Subscription refused = subscriptions.getLast();
        assertFalse(refused.isConnected());
        assertDelivers(publications, subscriptions.subList(0, LINKS));
        assertUntouched(publishing, LINKS);
        subscriptions.removeFirst().close();
        Transports.awaitConnected(publications.getFirst(), refused);
        assertDelivers(publications, subscriptions);
        assertUntouched(publishing, LINKS + 1);
    }

    /**
     * Completions that the link's queue pair has left are drained, and nobody takes the link's room, least of all links
     * that come meanwhile.
     */
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"RECEIVES", "WRITES"})
    void shouldHaveRoomForALinkThatIsResumed(final Kind kind) {
        final Transport fixed = launchFixed(kind);
        final Transport other = transports.launch();
        final boolean isPublishing = kind == Kind.WRITES;
        if (isPublishing) {
            subscribeAll(fixed, other);
        } else {
            publishAll(other, fixed);
        }
        final List<ExclusivePublication> sending = publications.stream().limit(LINKS).toList();
        final List<Subscription> receiving = subscriptions.stream().limit(LINKS).toList();
        assertDelivers(sending, receiving);
        for (int round = 0; round < ROUNDS; round++) {
            final long resumed = fixed.counters().get(TransportCounter.LINKS_RESUMED);
            final int failed = news.failQueuePairs();
            assertTrue(failed > 0);
            if (isPublishing) {
                subscribe(other);
            } else {
                publish(other);
            }
            Await.until("all links to be resumed", () -> {
                receiving.forEach(subscription -> subscription.poll((buffer, offset, length, header) -> { }, 64));
                return fixed.counters().get(TransportCounter.LINKS_RESUMED) >= resumed + failed;
            });
            assertDelivers(sending, receiving);
        }
        assertEquals(LINKS, fixed.counters().get(TransportCounter.LINKS_ESTABLISHED));
    }
}
