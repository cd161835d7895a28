package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.KeyFile;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transports with a pre-shared key meet those that hold it, and nobody else. */
class PreSharedKeyTest {
    private static final int STREAM_ID = 5;
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";
    private static final String OTHER_KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e2";

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    /** Launch a transport that refuses nobody for being late. */
    private Transport launch(final String key, final List<Throwable> errors) {
        return transports.launch(context -> {
            context.errorHandler(errors::add).timeouts(new Timeouts().handshakeTimeoutNs(TimeUnit.HOURS.toNanos(1)));
            return key == null ? context : context.preSharedKeyFile(KeyFile.of(folder, key));
        });
    }

    private static void assertDelivers(final Publication publication, final Subscription subscription) {
        Transports.awaitConnected(publication, subscription);
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
    }

    private static long refused(final Transport transport) {
        return transport.counters().get(TransportCounter.PEERS_REFUSED);
    }

    @Test
    void shouldMeetItselfAndOthersWithTheSameKey() {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final Transport subscriber = launch(KEY, errors);
        final Transport publisher = launch(KEY + "\n", errors);
        final Subscription subscription = subscriber.addSubscription(transports.channel(""), STREAM_ID);
        assertDelivers(publisher.addPublication(transports.channel(""), STREAM_ID), subscription);
        assertDelivers(subscriber.addPublication(transports.channel(""), STREAM_ID), subscription);
        assertEquals(0, refused(subscriber) + refused(publisher));
        assertEquals(List.of(), refusals(errors));
    }

    /** The key is read once, at launch. */
    @Test
    void shouldMeetOthersAfterTheKeyFileWasRemoved() throws IOException {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final Transport subscriber = launch(KEY, errors);
        final Transport publisher = launch(KEY, errors);
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path file : files.toList()) {
                Files.delete(file);
            }
        }
        final Subscription subscription = subscriber.addSubscription(transports.channel(""), STREAM_ID);
        assertDelivers(publisher.addPublication(transports.channel(""), STREAM_ID), subscription);
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest(name = "{0} against {1}")
    @CsvSource({KEY + "," + OTHER_KEY, KEY + ",", "," + KEY})
    void shouldRefuseWhoDoesNotHoldTheKeyAndTellOfItOnce(final String ownKey, final String strangersKey) {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final List<Throwable> strangersErrors = new CopyOnWriteArrayList<>();
        final Transport transport = launch(ownKey, errors);
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        final Transport publisher = launch(ownKey, new CopyOnWriteArrayList<>());
        final Publication good = publisher.addPublication(transports.channel(""), STREAM_ID);
        assertDelivers(good, subscription);
        final Image image = subscription.images().getFirst();

        final Transport stranger = launch(strangersKey, strangersErrors);
        final Publication bad = stranger.addPublication(transports.channel(""), STREAM_ID);
        // who dials proves first, and so is refused: either of the two, as their ids have it
        Await.until("the two to have met twice", () -> {
            assertDelivers(good, subscription);
            return refused(transport) + refused(stranger) >= 2;
        });

        assertEquals(Publication.NOT_CONNECTED, bad.offer(new UnsafeBuffer(new byte[8])));
        assertToldOnce(errors);
        assertToldOnce(strangersErrors);
        assertDelivers(good, subscription);
        assertFalse(image.isClosed());
        assertEquals(1, subscription.imageCount());
        assertUntouched(transport);
        assertUntouched(publisher);
    }

    private static void assertUntouched(final Transport transport) {
        assertEquals(1, transport.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_BROKEN));
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_GONE));
    }

    /**
     * Asserts that each thing was told once; where both have dialled, to be refused is one thing, and to have refused
     * another.
     */
    private static void assertToldOnce(final List<Throwable> errors) {
        Await.until("the refusal to be told", () -> refusals(errors).size() > 0);
        final List<String> refusals = refusals(errors);
        assertEquals(refusals.stream().distinct().toList(), refusals, errors::toString);
        assertTrue(refusals.size() <= 2, errors::toString);
        assertTrue(refusals.getFirst().contains("AUTHENTICATION_FAILED"), errors::toString);
        assertFalse(errors.toString().contains(KEY) || errors.toString().contains(OTHER_KEY), errors::toString);
    }

    /** A connection may also be lost before either has said why. */
    private static List<String> refusals(final List<Throwable> errors) {
        return errors.stream().map(Throwable::getMessage).filter(text -> text.contains("refused")).toList();
    }

    @Test
    void shouldTakeAPeerBackThatHasTheKeyNow() {
        final Transport transport = launch(KEY, new CopyOnWriteArrayList<>());
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        final Transport stranger = launch(OTHER_KEY, new CopyOnWriteArrayList<>());
        stranger.addPublication(transports.channel(""), STREAM_ID);
        Await.until("a refusal", () -> refused(transport) + refused(stranger) > 0);
        stranger.close();
        assertDelivers(launch(KEY, new CopyOnWriteArrayList<>()).addPublication(transports.channel(""), STREAM_ID),
            subscription);
    }
}
