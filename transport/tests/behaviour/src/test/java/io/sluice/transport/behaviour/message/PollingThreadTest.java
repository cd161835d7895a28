package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subscription has one polling thread: when that has ended, the subscription does not gate for ever. */
class PollingThreadTest {
    private static final int STREAM_ID = 12;
    private static final long LIVENESS_NS = 1_000_000_000L;

    @RegisterExtension
    private final Transports transports = new Transports();

    private Transport subscriber;
    private ExclusivePublication publication;

    private Subscription subscribe(final String mode) {
        subscriber = transports.launch(
            context ->
                context.timeouts(new Timeouts().livenessTimeoutNs(LIVENESS_NS).resumeTimeoutNs(LIVENESS_NS / 2)));
        final Subscription added = subscriber.addSubscription(transports.channel("mode=" + mode), STREAM_ID);
        publication = transports.launch().addExclusivePublication(
            transports.channel("linger=0ns|window=4k"), STREAM_ID);
        return added;
    }

    private static Thread pollIn(final Subscription subscription, final int images) {
        return Thread.ofPlatform().name("doomed").start(() -> Await.until("an image", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return subscription.imageCount() == images;
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldBeMissedWhenItHasEnded(final String mode) {
        final Subscription subscription = subscribe(mode);
        Await.end(pollIn(subscription, 1));
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        Await.until("back-pressure", () -> publication.offer(message) == Publication.BACK_PRESSURED);
        transports.awaitError("CONSUMER_LEFT", "subscription closed", "thread=\"doomed\"", "streamId=" + STREAM_ID);
        Await.until("the publisher to be told", () -> publication.offer(message) == Publication.NOT_CONNECTED);
        assertEquals(1, transports.errors().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldNotBeMissedBeforeItHasPolledOrWhileItLives(final String mode) {
        final Subscription subscription = subscribe(mode);
        final long begin = System.nanoTime();
        Await.until("a connection", publication::isConnected);
        Await.until("longer than a peer may be silent", () -> System.nanoTime() - begin > LIVENESS_NS * 3 / 2);
        Transports.awaitConnected(publication, subscription);
        final long polled = System.nanoTime();
        Await.until("longer than a peer may be silent", () -> System.nanoTime() - polled > LIVENESS_NS * 3 / 2);
        assertFalse(subscription.isClosed());
        assertEquals(List.of(), transports.errors());
    }
}
