package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The subscriber's conductor stands still for longer than the publisher waits, while the application is alive: it must
 * not go on reading the log of a publisher that has given it up and does not ask it any more.
 */
class LeftBehindTest {
    private static final int STREAM_ID = 1;
    private static final int PHASE = 10;
    private static final long HEARTBEAT_INTERVAL_NS = 10_000_000L;
    private static final long TIMEOUT_NS = 200_000_000L;

    @RegisterExtension
    private final Transports transports = new Transports();

    private Transport launch(final ThreadingMode threadingMode) {
        return transports.launch(context -> context.threadingMode(threadingMode)
            .timeouts(new Timeouts().heartbeatIntervalNs(HEARTBEAT_INTERVAL_NS)
                .livenessTimeoutNs(TIMEOUT_NS).resumeTimeoutNs(TIMEOUT_NS / 2)));
    }

    private static void offer(final ExclusivePublication publication, final int first) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        for (int i = first; i < first + PHASE; i++) {
            buffer.putInt(0, i);
            Transports.offer(publication, buffer.byteArray());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"log=shared", "log=shared|completion=queue", "log=copied"})
    void shouldNotReadOnInALogThatGoesOnWithoutIt(final String parameters) {
        final Transport publishing = launch(ThreadingMode.DEDICATED);
        final Transport subscribing = launch(ThreadingMode.INVOKER);
        final Subscription subscription = subscribing.addSubscription(transports.channel(parameters), STREAM_ID);
        final ExclusivePublication publication =
            publishing.addExclusivePublication(transports.channel("window=4k|" + parameters), STREAM_ID);
        final List<Integer> received = new ArrayList<>();
        final FragmentHandler handler = (buffer, offset, length, header) -> received.add(buffer.getInt(offset));
        Await.until("the image", () -> {
            subscribing.doWork();
            subscription.poll(handler, 1);
            return subscription.imageCount() == 1;
        });
        offer(publication, 0);
        Await.until("the first phase", () -> {
            subscription.poll(handler, 1);
            return received.size() == PHASE;
        });

        offer(publication, PHASE);
        Await.until("the subscriber to be given up", () ->
            publishing.counters().get(TransportCounter.LINKS_GONE) == 1 && !publication.isConnected());
        final Image old = subscription.images().getFirst();
        Await.until("it to be taken back, when it has done with what it had", () -> {
            subscribing.doWork();
            subscription.poll(handler, 1);
            return publication.isConnected();
        });
        offer(publication, 2 * PHASE);
        Await.until("the last phase", () -> {
            subscribing.doWork();
            subscription.poll(handler, PHASE);
            return old.isClosed() && !received.isEmpty() && received.getLast() == 3 * PHASE - 1;
        });
        assertEquals(new ArrayList<>(new TreeSet<>(received)), received, "each once, in order");
        assertTrue(received.containsAll(IntStream.range(2 * PHASE, 3 * PHASE).boxed().toList()));
    }
}
