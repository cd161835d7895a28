package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Endpoints that are used once and never again, as a program may have one for each of its requests. */
class EphemeralEndpointsTest {
    private static final int STREAM_ID = 5;
    private static final int ENDPOINTS = 10;

    @RegisterExtension
    private final Transports transports = new Transports();

    private static String channel(final String endpoint) {
        return "sluice:ipc?window=64k|endpoint=" + endpoint;
    }

    /** The folders of endpoints that there are. */
    private List<String> folders() {
        try (Stream<Path> paths = Files.list(transports.fabric().directory().resolve("l/ipc="))) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static void exchange(final Transport publishing, final Transport subscribing, final String endpoint) {
        try (Subscription subscription = subscribing.addSubscription(channel(endpoint), STREAM_ID);
            Publication publication = publishing.addPublication(channel(endpoint), STREAM_ID)) {
            Transports.awaitConnected(publication, subscription);
            Transports.offer(publication, new byte[10]);
            assertEquals(1, Transports.receive(subscription, 1).size());
        }
    }

    @Test
    void shouldLeaveNoFolderOfAnEndpointThatNobodyUsesAnyMore() {
        final Transport transport = transports.launch();
        final Transport other = transports.launch();
        try (Subscription _ = transport.addSubscription(channel("kept"), STREAM_ID)) {
            for (int i = 0; i < ENDPOINTS; i++) {
                exchange(transport, other, "once-" + i);
            }
            Await.until("folders of endpoints that are used", () -> folders().equals(List.of("kept=")));
        }
    }

    @Test
    void shouldMeetAgainAtAnEndpointThatBothHadLeft() {
        final Transport transport = transports.launch();
        final Transport other = transports.launch();
        for (int i = 0; i < ENDPOINTS; i++) {
            exchange(transport, other, "again");
        }
        // by another one, which meets them there for the first time
        exchange(transports.launch(), other, "again");
        assertEquals(List.of(), transports.errors());
    }
}
