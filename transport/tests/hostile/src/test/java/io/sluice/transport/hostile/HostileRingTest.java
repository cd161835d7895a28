package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.HostilePublication;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer of this process writes what it likes where its messages go: nothing crashes, and other streams go on. */
class HostileRingTest {
    private static final int STREAM_ID = 5;
    private static final long SEED = 20_261_122;
    private static final int NOISY_LINKS = 20;
    private static final int REWRITTEN_LINKS = 5;
    private static final int MESSAGES = HostilePublication.WINDOW / HostilePublication.FRAME_LENGTH / 2;
    private static final int READS = 20;
    private static final int POLLS = 2_000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final SplittableRandom random = new SplittableRandom(SEED);
    private HostilePeer peer;
    private Transport victim;
    private Subscription innocent;
    private ExclusivePublication good;
    private long nextId = 1;

    @BeforeEach
    void launch() {
        victim = transports.launch(context -> context
            .timeouts(new Timeouts().heartbeatIntervalNs(TimeUnit.MILLISECONDS.toNanos(100))
                .resumeTimeoutNs(TimeUnit.SECONDS.toNanos(1)).livenessTimeoutNs(TimeUnit.SECONDS.toNanos(2))));
        innocent = victim.addSubscription(transports.channel(""), STREAM_ID + 1);
        good = victim.addExclusivePublication(transports.channel("window=64k"), STREAM_ID + 1);
        Transports.awaitImages(innocent, 1);
        peer = new HostilePeer(transports.fabric());
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void assertOthersGoOn() {
        for (int i = 0; i < 100; i++) {
            Transports.offer(good, new byte[i]);
            assertEquals(i, Transports.receive(innocent, 1).getFirst().length);
        }
        assertEquals(1, innocent.imageCount());
    }

    private Session greet(final ControlMessages messages) {
        final Session session = peer.connect(peer.address(), messages.privateData());
        Await.until("a connection", session::isEstablished);
        session.send(messages.hello());
        return session;
    }

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverWhatCameBeforeNoiseAndCountEachRefusal(final String parameters) {
        final Subscription subscription = victim.addSubscription(transports.channel(parameters), STREAM_ID);
        for (int i = 1; i <= NOISY_LINKS; i++) {
            final ControlMessages messages = new ControlMessages(1, nextId++);
            try (Session session = greet(messages); HostilePublication publication = new HostilePublication(
                peer, session, messages, STREAM_ID, !parameters.endsWith("copied"))) {
                final int before = random.nextInt(MESSAGES);
                for (int j = 0; j < before; j++) {
                    publication.write();
                }
                publication.writeNoise(random);
                final long rejected = i;
                final int[] received = new int[1];
                Await.until("the refusal", () -> {
                    subscription.poll((buffer, offset, length, header) -> received[0]++, MESSAGES);
                    return victim.counters().get(TransportCounter.FRAMES_REJECTED) == rejected
                        && received[0] == before;
                });
            }
        }
        transports.awaitError("BAD_FRAME");
        assertOthersGoOn();
    }

    static List<String> sharedLogs() {
        return parameters().stream().filter(parameters -> !parameters.endsWith("copied")).toList();
    }

    /** A verbs device shares no log. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("sharedLogs")
    void shouldHoldItsBoundsWhileMessagesAreRewritten(final String parameters) throws InterruptedException {
        final Subscription subscription = victim.addSubscription(transports.channel(parameters), STREAM_ID);
        final long[] received = new long[1];
        long receivedMeanwhile = 0;
        final FragmentHandler reader = (buffer, offset, length, header) -> {
            received[0]++;
            assertTrue(length >= 0 && length <= HostilePublication.WINDOW && offset + length <= buffer.capacity());
            for (int i = 0; i < READS; i++) {
                for (int j = 0; j < length; j++) {
                    buffer.getByte(offset + j);
                }
            }
        };
        for (int i = 0; i < REWRITTEN_LINKS; i++) {
            final ControlMessages messages = new ControlMessages(1, nextId++);
            try (Session session = greet(messages);
                HostilePublication publication = new HostilePublication(peer, session, messages, STREAM_ID, true)) {
                for (int j = 0; j < MESSAGES; j++) {
                    publication.write();
                }
                final long before = received[0];
                Await.until("the first message", () -> subscription.poll(reader, 1) + received[0] > before);
                final long first = received[0];
                rewriteWhile(publication, random.split(), () -> {
                    for (int poll = 0; poll < POLLS; poll++) {
                        subscription.poll(reader, MESSAGES);
                    }
                });
                receivedMeanwhile += received[0] - first;
            }
        }
        assertTrue(receivedMeanwhile > 0, "messages that were handled while their bytes changed");
        for (final Throwable error : transports.errors()) {
            // told of what happened; what a handler or the transport throws would be something else
            assertTrue(error instanceof TransportException, error::toString);
        }
        assertOthersGoOn();
    }

    /** Another thread changes bits of headers and messages all the while. */
    private static void rewriteWhile(
        final HostilePublication publication, final SplittableRandom random, final Runnable action)
        throws InterruptedException {
        final Thread rewriter = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                final int offset = random.nextInt(HostilePublication.WINDOW / Long.BYTES) * Long.BYTES;
                final long word = publication.memory().getLongVolatile(offset);
                publication.memory().putLongVolatile(
                    offset, random.nextInt(8) == 0 ? random.nextLong() : word ^ 1L << random.nextInt(64));
            }
        });
        try {
            action.run();
        } finally {
            rewriter.interrupt();
            rewriter.join();
        }
    }
}
