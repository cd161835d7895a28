package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.sluice.environment.SystemEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of metrics have each metric under its name in Prometheus, word for word as its help. */
class MetricsPageTest {
    private static final List<Path> PAGES =
        List.of(Path.of("../docs/guide/metrics.md"), Path.of("../docs/guide/metrics-of-streams.md"));
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(sluice_\\w+)` \\| (.*) \\|$");

    @TempDir
    private Path directory;

    private static String row(final MetricSnapshot snapshot) {
        final String help = snapshot.getMetadata().getHelp();
        return snapshot.getMetadata().getName() + (snapshot instanceof CounterSnapshot ? "_total" : "")
            + ": " + help.substring(0, help.length() - 1);
    }

    @Test
    void shouldHaveARowForEachMetricAndNoOther() throws Exception {
        final Set<String> expected = new TreeSet<>();
        Arrays.stream(CounterMetric.values())
            .map(each -> row(each.family().snapshot(List.of()))).forEach(expected::add);
        Scrape.OWN.stream().map(each -> row(each.snapshot(List.of()))).forEach(expected::add);
        final Set<String> rows = new TreeSet<>();
        for (final Path page : PAGES) {
            ROW.matcher(Files.readString(page)).results().forEach(row -> rows.add(row.group(1) + ": " + row.group(2)));
        }
        assertEquals(String.join("\n", expected), String.join("\n", rows));
    }

    @Test
    void shouldHaveTheExportersOwnMetricsInEachScrape() {
        final HostCollector collector = new HostCollector(SystemEnvironment.instance(), directory, problem -> { });
        assertEquals(7, collector.collect().stream()
            .filter(each -> each.getMetadata().getName().startsWith("sluice_exporter_")).count());
    }
}
