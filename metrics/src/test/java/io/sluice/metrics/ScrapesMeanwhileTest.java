package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Context;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scrapes over HTTP while transports of this process and of others come, go and are killed. */
class ScrapesMeanwhileTest {
    private static final int SCRAPES = 200;
    private static final int KILLS = 2;

    @TempDir
    private Path directory;

    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private MetricsServer server;

    @BeforeEach
    void start() throws Exception {
        server = MetricsServer.start(InetAddress.getLoopbackAddress(), 0,
            new HostCollector(SystemEnvironment.instance(), directory, problems::add));
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    private OpenMetricsText scrape() throws Exception {
        final HttpResponse<String> response = client.send(HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.port() + MetricsServer.PATH))
            .header("Accept", "application/openmetrics-text; version=1.0.0").build(),
            HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode(), response.body());
        return OpenMetricsText.parse(response.body());
    }

    private static List<Double> up(final OpenMetricsText text, final long pid) {
        return text.series("sluice_transport_up").entrySet().stream()
            .filter(each -> each.getKey().get("pid").equals(Long.toString(pid)))
            .map(Map.Entry::getValue).toList();
    }

    /** Positions are those of the living: what a dead one said last would be taken for what is so now. */
    private static boolean hasPosition(final OpenMetricsText text, final long pid) {
        return text.series("sluice_publication_position_bytes").keySet().stream()
            .anyMatch(labels -> labels.get("pid").equals(Long.toString(pid)));
    }

    @Test
    void shouldShowTheLivingAndNothingOfTheDeadWhateverComesAndGoes() throws Exception {
        final AtomicBoolean isOver = new AtomicBoolean();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();
        final List<Long> comingAndGoing = new ArrayList<>(List.of(ProcessHandle.current().pid()));
        final Thread coming = Thread.ofPlatform().start(() -> {
            try {
                while (!isOver.get()) {
                    Transport.launch(new Context().directory(directory).clientName("comes and goes")
                        .threadingMode(ThreadingMode.INVOKER)).close();
                }
            } catch (final Throwable ex) {
                failures.add(ex);
            }
        });
        try (TransportProcess staying = TransportProcess.start(directory, "stays")) {
            for (int i = 0; i < KILLS; i++) {
                try (TransportProcess killed = TransportProcess.start(directory, "is killed")) {
                    for (int j = 0; j < SCRAPES / KILLS; j++) {
                        assertTrue(hasPosition(scrape(), killed.pid()));
                    }
                    comingAndGoing.add(killed.pid());
                    killed.kill();
                    final OpenMetricsText text = scrape();
                    assertTrue(hasPosition(text, staying.pid()));
                    assertEquals(List.of(1.0), up(text, staying.pid()));
                    assertFalse(hasPosition(text, killed.pid()));
                    assertFalse(up(text, killed.pid()).contains(1.0), "who comes next removes it, or it is shown dead");
                }
            }
        } finally {
            isOver.set(true);
            coming.join();
        }
        assertEquals(List.of(), failures);
        // a folder that is being made or removed has no file for a moment
        problems.removeIf(line -> comingAndGoing.stream().anyMatch(pid -> line.contains("/status/" + pid + "-")));
        assertEquals(List.of(), problems);
        assertEquals(List.of(), up(scrape(), ProcessHandle.current().pid()));
    }
}
