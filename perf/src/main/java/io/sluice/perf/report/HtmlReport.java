package io.sluice.perf.report;

import com.google.gson.Gson;
import com.samskivert.mustache.Mustache;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Run;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A session as one page that needs nothing beside itself: environment, settings, tables, bars, plots and every run. The
 * plots are drawn by uPlot, which is in the page, when it is looked at.
 */
public final class HtmlReport {
    private static final String FILE_NAME = "report.html";
    private static final String TEMPLATE = "report.html";
    /** The path of the file in the library's package that tells its version. */
    private static final String UPLOT_VERSION = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final String UPLOT_FOLDER = "/META-INF/resources/webjars/uplot/%s/";

    private HtmlReport() {
    }

    /**
     * Write it.
     *
     * @param folder to write to; made when it is not there.
     * @param plan   that was run.
     * @param report of the session.
     * @param runs   of the session.
     * @return the file.
     * @throws IOException when it cannot be written.
     */
    public static Path write(final Path folder, final Plan plan, final Report report, final List<Run> runs)
        throws IOException {
        final Path file = Files.createDirectories(folder).resolve(FILE_NAME);
        return Files.writeString(file, page(plan, report, runs));
    }

    static String page(final Plan plan, final Report report, final List<Run> runs) throws IOException {
        final Properties uplot = new Properties();
        try (InputStream properties = open(UPLOT_VERSION)) {
            uplot.load(properties);
        }
        final String uplotFolder = String.format(Locale.ROOT, UPLOT_FOLDER, uplot.getProperty("version"));
        final List<Plot> plots = new Plots(plan, runs).all();
        final TextTable bars = report.bars(runs);
        return Mustache.compiler().compile(text(TEMPLATE)).execute(Map.of(
            "time", Instant.now().truncatedTo(ChronoUnit.SECONDS),
            "bars", bars.rows().size() > 1 ? List.of(table(bars)) : List.of(),
            "counts", Report.counts(runs),
            "results", report.results(runs).stream().map(HtmlReport::table).toList(),
            "lab", report.lab().table().stream()
                .map(table -> Map.of("remark", LabFigures.REMARK, "table", table(table))).toList(),
            "environment", table(EnvironmentReport.of(plan)),
            "settings", table(report.settings(runs)),
            "runs", table(runs(runs)),
            // what could end the script is escaped
            "plots", new Gson().toJson(plots),
            "uplot", Map.of("script", text(uplotFolder + "dist/uPlot.iife.min.js"),
                "style", text(uplotFolder + "dist/uPlot.min.css"), "licence", text(uplotFolder + "LICENSE"))));
    }

    private static Map<String, Object> table(final TextTable table) {
        final List<List<String>> rows = table.rows();
        return Map.of("columns", rows.getFirst(),
            "rows", rows.stream().skip(1).map(row -> Map.of("cells", row)).toList());
    }

    private static TextTable runs(final List<Run> runs) {
        final TextTable table = new TextTable();
        table.add("measure", "size", "round", "peer", "cores before", "after", "others", "figures");
        for (final Run run : runs) {
            table.add(Stream.concat(
                Stream.of(run.point().measure().label(), run.point().size(), Integer.toString(run.round()),
                    run.peer().label()),
                Progress.facts(run)).toArray(String[]::new));
        }
        return table;
    }

    private static String text(final String resource) throws IOException {
        try (InputStream bytes = open(resource)) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(final String resource) throws FileNotFoundException {
        final InputStream bytes = HtmlReport.class.getResourceAsStream(resource);
        if (bytes == null) {
            throw new FileNotFoundException("the class path lacks " + resource);
        }
        return bytes;
    }
}
