package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.DeviceNews;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.harness.UndersizedQueues;
import io.sluice.transport.harness.UndersizedQueues.Kind;
import io.sluice.transport.harness.UndersizedQueues.Manner;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A queue pair that fails without a completion that says so, as with IBV_EVENT_QP_FATAL, at either end: the link breaks
 * and goes on, nothing lost and nothing twice.
 */
class FailedQueuePairTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 500;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final DeviceNews news = new DeviceNews();
    private UndersizedQueues queues;
    private int sent;
    private int received;

    private Transport launchFailing(final Kind kind) {
        return transports.launch(context -> context, device -> {
            queues = new UndersizedQueues(news.of(device), kind, Manner.HELD, 0, 1);
            return queues;
        });
    }

    private void poll(final Subscription subscription) {
        subscription.poll((buffer, offset, length, header) -> assertEquals(received++, buffer.getInt(offset)), 64);
    }

    private void send(final Publication publication, final Subscription subscription) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        for (int i = 0; i < MESSAGES; i++) {
            message.putInt(0, sent);
            Await.until("room", () -> {
                poll(subscription);
                return publication.offer(message) > 0;
            });
            sent++;
        }
        Await.until(() -> sent + " messages instead of " + received, () -> {
            poll(subscription);
            return received == sent;
        }, Await.DEADLINE_SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"WRITES, invoker", "RECEIVES, invoker", "RECEIVES, dedicated"})
    void shouldGoOnAfterAQueuePairThatHasFailedInSilence(final Kind kind, final String mode) {
        final Transport failing = launchFailing(kind);
        final Transport other = transports.launch();
        final Transport publishing = kind == Kind.WRITES ? failing : other;
        final Transport subscribing = kind == Kind.WRITES ? other : failing;
        final Subscription subscription =
            subscribing.addSubscription(transports.channel("log=copied|mode=" + mode), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=64k|log=copied"), STREAM_ID);
        queues.release();
        Transports.awaitConnected(publication, subscription);
        send(publication, subscription);
        queues.hold();
        assertEquals(1, news.failQueuePairs());
        for (final Transport transport : List.of(failing, other)) {
            Await.until("the link to break", () -> transport.counters().get(TransportCounter.LINKS_BROKEN) == 1);
        }
        queues.release();
        send(publication, subscription);
        assertTrue(publishing.counters().get(TransportCounter.LINKS_RESUMED) >= 1);
        assertEquals(1, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertEquals(1, subscription.imageCount());
    }
}
