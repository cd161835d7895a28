package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.States;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every epoch of a link with log=copied has a ring of its own; the earlier ones go, but not under their readers. */
class ReplacedRingTest {
    private static final int STREAM_ID = 5;
    private static final int WINDOW = 32 * 1024;
    private static final int RESUMPTIONS = 5;
    /** The log of the publication and the ring of its only link. */
    private static final int LOG_AND_RING = 2;
    /** Earlier rings of a link that are kept at once. */
    private static final int KEPT_RINGS = 16;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final FailNextWrite hook = new FailNextWrite();
    private Transport publisher;
    private Transport subscriber;

    @BeforeEach
    void launch() {
        publisher = transports.launch(hook);
        subscriber = transports.launch();
    }

    private ExclusivePublication publish() {
        return publisher.addExclusivePublication(transports.channel("window=32k|log=copied|fc=min,t:9s"), STREAM_ID);
    }

    private long regions() {
        return transports.fabric().regions(WINDOW);
    }

    private void awaitResumptions(final int count) {
        Await.until("resumption " + count, () ->
            subscriber.counters().get(TransportCounter.LINKS_RESUMED) == count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldBeReleasedAfterEveryResumption(final String mode) {
        final Subscription subscription =
            subscriber.addSubscription(transports.channel("log=copied|mode=" + mode), STREAM_ID);
        final ExclusivePublication publication = publish();
        Transports.awaitImages(subscription, 1);
        assertEquals(LOG_AND_RING, regions());
        for (int i = 1; i <= RESUMPTIONS; i++) {
            hook.arm();
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
            assertEquals(i, hook.failed());
            awaitResumptions(i);
            Await.until(() -> regions() + " files", () -> {
                subscription.poll((buffer, offset, length, header) -> { }, 1);
                return regions() == LOG_AND_RING;
            }, Await.DEADLINE_SECONDS);
        }
        assertEquals(1, subscription.imageCount());
        publication.close();
        subscription.close();
        Await.until("no memory at all", () -> regions() == 0);
    }

    @Test
    void shouldStayAsLongAsAHandlerReadsIt() {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final List<byte[]> messages = new CopyOnWriteArrayList<>();
        final Subscription subscription =
            subscriber.addSubscription(transports.channel("log=copied|mode=dedicated"), STREAM_ID);
        final ExclusivePublication publication = publish();
        Await.until("an image", () -> subscription.imageCount() == 1);
        Transports.offer(publication, new byte[] {1, 2, 3});
        final Thread consumer = new Thread(() -> Await.until("two messages", () -> {
            subscription.poll((buffer, offset, length, header) -> {
                entered.countDown();
                awaitLatch(release);
                final byte[] message = new byte[length];
                buffer.getBytes(offset, message);
                messages.add(message);
            }, 1);
            return messages.size() == 2;
        }));
        consumer.start();
        Await.until("the handler", () -> entered.getCount() == 0);
        hook.arm();
        Transports.offer(publication, new byte[] {4, 5});
        awaitResumptions(1);
        assertEquals(1, hook.failed());
        // the conductor has gone round many times when another stream has come and gone
        exchange();
        assertEquals(LOG_AND_RING + 1, regions());
        release.countDown();
        Await.end(consumer);
        assertArrayEquals(new byte[] {1, 2, 3}, messages.get(0));
        assertArrayEquals(new byte[] {4, 5}, messages.get(1));
        Await.until("the old ring to go", () -> regions() == LOG_AND_RING);
        assertFalse(subscription.isClosed());
    }

    /** More often than rings are kept: the link then waits for its consumer, and loses nothing. */
    @Test
    void shouldLoseNothingOfALinkThatBreaksOftenWhileNobodyConsumes() {
        final Subscription subscription =
            subscriber.addSubscription(transports.channel("log=copied|mode=dedicated"), STREAM_ID);
        final ExclusivePublication publication = publish();
        Await.until("an image", () -> subscription.imageCount() == 1);
        for (int i = 1; i <= KEPT_RINGS; i++) {
            Transports.offer(publication, new byte[i]);
            awaitWalked(subscription, publication);
            hook.arm();
            Transports.offer(publication, new byte[100 + i]);
            awaitResumptions(i);
            awaitWalked(subscription, publication);
        }
        assertEquals(LOG_AND_RING + KEPT_RINGS, regions());
        hook.arm();
        Transports.offer(publication, new byte[1]);
        Await.until("a refusal", () -> publisher.counters().get(TransportCounter.LINKS_REFUSED) > 0);
        assertEquals(LOG_AND_RING + KEPT_RINGS, regions());
        for (int i = 1; i <= KEPT_RINGS; i++) {
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
            assertEquals(100 + i, Transports.receive(subscription, 1).getFirst().length);
        }
        assertEquals(1, Transports.receive(subscription, 1).getFirst().length);
        awaitResumptions(KEPT_RINGS + 1);
        assertEquals(1, subscription.imageCount());
    }

    private static void awaitWalked(final Subscription subscription, final ExclusivePublication publication) {
        final Image image = subscription.images().getFirst();
        Await.until("the poller", () -> States.walked(image) == publication.position());
    }

    private void exchange() {
        final Subscription other = subscriber.addSubscription(transports.channel("mode=invoker"), STREAM_ID + 1);
        final ExclusivePublication publication =
            publisher.addExclusivePublication(transports.channel("window=4k"), STREAM_ID + 1);
        Transports.awaitImages(other, 1);
        final Image image = other.images().getFirst();
        assertEquals(64, publication.offer(new UnsafeBuffer(new byte[40])));
        publication.close();
        Await.until("the end", () -> {
            other.poll((buffer, offset, length, header) -> { }, 1);
            return image.isClosed();
        });
        other.close();
    }

    private static void awaitLatch(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
