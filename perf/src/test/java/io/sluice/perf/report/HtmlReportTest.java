package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Effort;
import io.sluice.perf.rig.Failure;
import io.sluice.perf.rig.MachineState;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contents of the page, apart from what a browser makes of them.
 */
class HtmlReportTest {
    private static final CoreRoundTrip CORES = new CoreRoundTrip(130);
    private static final double BUSY = 0.5;
    private static final List<PeerKind> PEERS = List.of(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC, PeerKind.TCP);
    private static final Plan PLAN = new Plan(
        PEERS, List.of(Measure.ROUND_TRIP, Measure.THROUGHPUT, Measure.LOAD), List.of(32, 1024),
        List.of(10_000, 100_000), new Effort(1, 0, 0, 0, 0), 0, 1, "127.0.0.1");

    @TempDir
    private Path folder;
    private final List<Run> runs = new ArrayList<>();
    private LabFigures lab = LabFigures.NONE;

    @Test
    void shouldPlotPercentilesThroughputAndLoad() throws Exception {
        measureEverything(0);

        final JsonArray plots = plots(page());

        assertEquals(Stream.of("Round trips by percentile, 32 B", "Round trips by percentile, 1024 B",
            "Latency under load by percentile, 32 B at 10000/s", "Latency under load by percentile, 32 B at 100000/s",
            "Throughput by message length", "Latency under load by rate, 32 B")
            .map(title -> title + ", cores 130 – 130 ns").toList(), titles(plots));
        // of 400 to 1000 µs: 0.1 % more than the smallest, the median, the 90th and the 99.9th percentile
        assertEquals(400, percentile(plots, 0), 1);
        assertEquals(500, percentile(plots, 6), 5);
        assertEquals(900, percentile(plots, 20), 5);
        assertEquals(999, percentile(plots, 60), 5);
        assertTrue(curve(plots, 0, 0).get(61).isJsonNull(), "a thousand round trips tell no 99.99th percentile");
        assertEquals(32, plots.get(4).getAsJsonObject().getAsJsonArray("x").get(0).getAsDouble());
        assertEquals(3, plots.get(4).getAsJsonObject().getAsJsonArray("curves").size());
        assertEquals(6, plots.get(5).getAsJsonObject().getAsJsonArray("curves").size());
    }

    @Test
    void shouldPlotOnlyRunsThatCount() throws Exception {
        measureEverything(BUSY);

        final String page = page();

        assertEquals(0, plots(page).size());
        assertTrue(page.contains("runs: 18; 0 FAILED and 18 were disturbed"), page);
    }

    @Test
    void shouldEndACurveWhereTheRateWasMissed() throws Exception {
        final Point slow = new Point(Measure.LOAD, 32, 10_000);
        final Point fast = new Point(Measure.LOAD, 32, 100_000);
        add(PeerKind.TCP, slow, 0, null);
        add(PeerKind.TCP, fast, 0, new Failure("missed its rate", true));

        final JsonArray load = plots(page());

        final JsonArray median = curve(load, 1, 0);
        assertEquals(500, median.get(0).getAsDouble(), 5);
        assertTrue(median.get(1).isJsonNull());
    }

    @Test
    void shouldShowFailuresAsTextWhateverTheySay() throws Exception {
        add(PeerKind.TCP, new Point(Measure.ROUND_TRIP, 32), 0, new Failure("<script>alert(1)</script>", false));

        final String page = page();

        assertFalse(page.contains("<script>alert"), "a failure became a part of the page");
        assertTrue(page.contains("FAILED: &lt;script&gt;alert(1)&lt;/script&gt;"), page);
    }

    @Test
    void shouldShowWhatTheLabMeasuredWithTheRemark() throws Exception {
        assertFalse(page().contains("soft-RoCE"));
        lab = LabFigures.read(List.of(Files.writeString(folder.resolve("lab.csv"),
            "measure,unit,round,program,value\nRTT p50 32 B,us,1,2 x <ib_send_lat>,60\n"
                + "RTT p50 32 B,us,1,sluice:rdma,75\n")));

        final String page = page();

        assertTrue(page.contains("is slower than TCP there. Only the ratio"), page);
        assertTrue(page.contains("<td>2 x &lt;ib_send_lat&gt;</td>"), page);
        assertTrue(page.contains("<td>1.250 [1.250 – 1.250]</td>"), page);
    }

    @Test
    void shouldNeedNothingBesideItself() throws Exception {
        measureEverything(0);

        final String page = page();

        assertFalse(Pattern.compile("<(link|img|script[^>]+src)|@import|url\\(").matcher(page).find());
        for (final String part : List.of(
            "127.0.0.1", "sluice:ipc", "commit", "flags", "usable pairs", "<th>verdict</th>")) {
            assertTrue(page.contains(part), part);
        }
    }

    private static double percentile(JsonArray plots, int place) {
        return curve(plots, 0, 0).get(place).getAsDouble();
    }

    private static JsonArray curve(JsonArray plots, int plot, int curve) {
        return plots.get(plot).getAsJsonObject().getAsJsonArray("curves").get(curve).getAsJsonObject()
            .getAsJsonArray("y");
    }

    private static List<String> titles(JsonArray plots) {
        return plots.asList().stream().map(plot -> plot.getAsJsonObject().get("title").getAsString()).toList();
    }

    private void measureEverything(double othersUse) {
        for (final Point point : PLAN.points()) {
            PEERS.forEach(peer -> add(peer, point, othersUse, null));
        }
    }

    private void add(PeerKind peer, Point point, double othersUse, Failure failure) {
        final boolean hasRoundTrips = point.measure() != Measure.THROUGHPUT && failure == null;
        runs.add(new Run(
            peer, point, 1, new MachineState(CORES, CORES, 1, othersUse, 0),
            Map.of(Metric.RTT_P50, 500.0, Metric.RTT_BATCH, 490.0, Metric.RTT_P99, 990.0, Metric.RTT_P999, 999.0,
                Metric.RTT_P9999, 999.9, Metric.RTT_P99999, 1000.0, Metric.RTT_MAX, 1000.0,
                Metric.MESSAGE_RATE, 20.0, Metric.ALLOCATED, 0.0),
            Map.of("channel", "127.0.0.1"), hasRoundTrips ? roundTrips() : null, failure));
    }

    private static Histogram roundTrips() {
        final Histogram roundTrips = new Histogram(3);
        for (int us = 1; us <= 1000; us++) {
            // a lower quartile that is farther away would say that the cores moved
            roundTrips.recordValue(Math.max(us, 400) * 1000L);
        }
        return roundTrips;
    }

    private String page() throws Exception {
        final Path file = HtmlReport.write(folder.resolve("new"), PLAN, new Report(PLAN, System.out, lab), runs);
        assertNull(runs.stream().filter(run -> !PLAN.points().contains(run.point())).findAny().orElse(null));
        return Files.readString(file);
    }

    private static JsonArray plots(String page) {
        final Matcher json = Pattern.compile("const plots = (.*);").matcher(page);
        assertTrue(json.find());
        return JsonParser.parseString(json.group(1)).getAsJsonArray();
    }
}
