package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.InFlight;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Links come and go on one poller while another one is under load, with more than a mebibyte in flight. */
class LinkChurnTest {
    private static final int STREAM_ID = 1;
    private static final int LINKS = 24;
    private static final int ROUNDS = 4;
    /** Messages of each link that goes, in each round; a few more than its subscription has had when it is closed. */
    private static final int MESSAGES = 20;
    private static final String QUEUE_PAIRS = "q.*";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final UnsafeBuffer load = new UnsafeBuffer(new byte[8000]);
    private final Map<Integer, Integer> received = new HashMap<>();
    private final AtomicInteger unavailable = new AtomicInteger();
    private ExclusivePublication staying;
    private int sent;

    private ExclusivePublication publish(final Transport transport, final String parameters) {
        return transport.addExclusivePublication(transports.channel("log=copied|" + parameters), STREAM_ID);
    }

    private static boolean offer(final Publication publication, final UnsafeBuffer message, final int number) {
        message.putInt(0, number);
        return publication.offer(message) > 0;
    }

    /** All that has room: nobody consumes meanwhile. */
    private void fill(final Subscription subscription) {
        Await.until("a mebibyte in flight", () -> {
            while (offer(staying, load, sent)) {
                sent++;
            }
            return staying.subscribers().size() == 1
                && staying.subscribers().getFirst().bytesBehind() >= InFlight.MEBIBYTE;
        });
        assertEquals(LINKS + 1, subscription.imageCount());
    }

    /** Some of the load: what stays is busy all the time. */
    private void poll(final Subscription subscription) {
        if (offer(staying, load, sent)) {
            sent++;
        }
        drain(subscription);
    }

    private void drain(final Subscription subscription) {
        subscription.poll((buffer, offset, length, header) ->
            assertEquals(received.merge(header.sessionId(), 1, Integer::sum) - 1, buffer.getInt(offset)), 64);
    }

    private void attach(final Transport publishing, final Subscription subscription) {
        final List<ExclusivePublication> passing = new ArrayList<>();
        for (int i = 0; i < LINKS; i++) {
            passing.add(publish(publishing, "window=64k|linger=0s"));
        }
        Await.until("all images", () -> {
            poll(subscription);
            return subscription.imageCount() == LINKS + 1;
        });
        for (int number = 0; number < MESSAGES; number++) {
            final int next = number;
            for (final ExclusivePublication publication : passing) {
                Await.until("room", () -> {
                    poll(subscription);
                    return offer(publication, message, next);
                });
            }
        }
        fill(subscription);
        // without linger: what is in flight now is never asked for
        passing.forEach(ExclusivePublication::close);
    }

    @Test
    void shouldLoseNothingOnALinkThatStaysWhileOthersComeAndGo() {
        final Transport subscribing = transports.launch();
        final Transport publishing = transports.launch();
        final Subscription subscription = subscribing.addSubscription(
            transports.channel("log=copied|mode=dedicated"), STREAM_ID,
            image -> { }, image -> unavailable.incrementAndGet());
        staying = publish(publishing, "window=4m");
        Transports.awaitConnected(staying, subscription);
        final int queuePairs = TestMedium.isRdma() ? 0 : transports.fabric().files(QUEUE_PAIRS).size();
        for (int round = 1; round <= ROUNDS; round++) {
            attach(publishing, subscription);
            final int gone = round * LINKS;
            Await.until("all to be gone", () -> {
                poll(subscription);
                return unavailable.get() == gone && subscription.imageCount() == 1;
            });
        }
        Await.until("the rest", () -> {
            drain(subscription);
            return received.get(staying.sessionId()) == sent;
        });
        assertTrue(sent > ROUNDS * LINKS * MESSAGES / 2, () -> "under load: sent=" + sent);
        assertEquals(0, publishing.counters().get(TransportCounter.LINKS_BROKEN));
        assertEquals(0, subscribing.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
        assertEquals(0, publishing.counters().get(TransportCounter.COMPLETION_QUEUE_OVERRUNS));
        if (!TestMedium.isRdma()) {
            Await.until("as many queue pairs as before",
                () -> transports.fabric().files(QUEUE_PAIRS).size() == queuePairs);
        }
    }
}
