package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.sluice.environment.SystemEnvironment;
import io.sluice.metrics.micrometer.SluiceMetrics;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.TransportCounter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus sees the same series, whether a collector gives them or Micrometer's registry does. */
class MicrometerSeriesTest {
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    private Path directory;

    private final List<String> problems = new ArrayList<>();

    private HostCollector collector() {
        return new HostCollector(SystemEnvironment.instance(), directory, problems::add);
    }

    private static OpenMetricsText scrape(final PrometheusMeterRegistry registry) {
        return OpenMetricsText.parse(registry.scrape(OpenMetricsTextFormatWriter.CONTENT_TYPE));
    }

    @Test
    void shouldHaveTheSameNamesLabelsAndValuesInPrometheus() throws IOException {
        try (StatusFiles _ = EverySeries.create(directory)) {
            final ByteArrayOutputStream out = new ByteArrayOutputStream();
            OpenMetricsTextFormatWriter.create().write(out, collector().collect());
            final OpenMetricsText expected = OpenMetricsText.parse(out.toString(StandardCharsets.UTF_8));
            assertTrue(expected.count() > CounterType.values().length + TransportCounter.values().length);

            final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            try (SluiceMetrics metrics = new SluiceMetrics(collector(), NEVER)) {
                metrics.bindTo(registry);
                final OpenMetricsText text = scrape(registry);
                assertEquals(List.copyOf(expected.names()), List.copyOf(text.names()));
                for (final String name : expected.names()) {
                    // time goes on, and others write to the file system meanwhile
                    if (!Set.of("sluice_transport_refresh_age_seconds", "sluice_exporter_folder_available_bytes")
                        .contains(name)) {
                        assertEquals(expected.series(name), text.series(name), name);
                    }
                }
            }
            assertEquals("# EOF\n", registry.scrape(OpenMetricsTextFormatWriter.CONTENT_TYPE));
            registry.close();
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void shouldShowThatAProcessWasKilledAndForgetItsStreams() throws Exception {
        final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (TransportProcess process = TransportProcess.start(directory, "killed");
            SluiceMetrics metrics = new SluiceMetrics(collector(), NEVER)) {
            metrics.bindTo(registry);
            final OpenMetricsText living = scrape(registry);
            assertEquals(1, living.value("sluice_transport_up"));
            assertEquals(65_536, living.value("sluice_publication_window_bytes"));
            process.kill();
            metrics.refresh();
            final OpenMetricsText dead = scrape(registry);
            assertEquals(0, dead.value("sluice_transport_up"));
            assertEquals(Map.of(), dead.series("sluice_publication_window_bytes"));
        }
        registry.close();
    }
}
