package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.LinkState;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard, the alert rules and the units that people take from {@code docs/ops}: each metric and label that they
 * ask for is one of a scrape, and the tools that they are for take them.
 */
class OperationsFilesTest {
    private static final Path OPS = Path.of("../docs/ops");
    private static final Path RULES = OPS.resolve("sluice-alerts.yml");
    private static final Path RULES_TEST = OPS.resolve("sluice-alerts-test.yml");
    private static final Path DASHBOARD = OPS.resolve("sluice-dashboard.json");
    private static final Path PAGE = Path.of("../docs/guide/operations.md");
    private static final Path CONFIGURATION = Path.of("../docs/guide/configuration.md");
    /** The program of the units, which need not be there where they are checked. */
    private static final String PROGRAM = "/opt/sluice/bin/sluice";

    private static final Pattern RULE = Pattern.compile(
        "(?ms)^ +- alert: (\\w+)\\n +expr: (?:>-\\n)?(.*?)\\n +(?:for: \\w+\\n +)?labels:(.*?)(?=^$|\\z)");
    private static final Pattern METRIC = Pattern.compile("\\bsluice_\\w+");
    private static final Pattern ON = Pattern.compile("\\bon \\(([^)]*)\\)");
    private static final Pattern MATCHER = Pattern.compile("[{,] *(\\w+)=~?\"");
    private static final Pattern TEMPLATE = Pattern.compile("\\$labels\\.(\\w+)|\\{\\{(\\w+)}}");
    private static final Pattern VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

    @TempDir
    private Path directory;

    /** The names of labels, by the name of the metric in queries. */
    private final Map<String, Set<String>> labels = new TreeMap<>();

    /** A query, with the text that its result is shown with. */
    private record Query(String expression, String text) {
    }

    @BeforeEach
    void scrape() throws IOException {
        try (StatusFiles _ = EverySeries.create(directory)) {
            final ByteArrayOutputStream out = new ByteArrayOutputStream();
            OpenMetricsTextFormatWriter.create().write(out, new HostCollector(SystemEnvironment.instance(), directory,
                problem -> {
                    throw new AssertionError(problem);
                }).collect());
            final OpenMetricsText text = OpenMetricsText.parse(out.toString(StandardCharsets.UTF_8));
            for (final String name : text.names()) {
                labels.put(name, text.series(name).keySet().iterator().next().keySet());
            }
        }
        // what each scrape has by itself
        labels.put("up", Set.of());
    }

    private static List<MatchResult> rules() throws IOException {
        return RULE.matcher(Files.readString(RULES)).results().toList();
    }

    private static Set<String> alerts() throws IOException {
        return rules().stream().map(rule -> rule.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Query> queriesOfRules() throws IOException {
        return rules().stream().map(rule -> new Query(rule.group(2), rule.group(3))).toList();
    }

    /** The queries of panels, and those that fill the lists to choose from. */
    private static List<Query> queriesOfDashboard() throws IOException {
        final JsonObject dashboard = JsonParser.parseString(Files.readString(DASHBOARD)).getAsJsonObject();
        final List<Query> queries = new ArrayList<>();
        for (final JsonElement panel : dashboard.getAsJsonArray("panels")) {
            if (panel.getAsJsonObject().has("targets")) {
                for (final JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
                    final JsonObject query = target.getAsJsonObject();
                    queries.add(new Query(query.get("expr").getAsString(), query.get("legendFormat").getAsString()));
                }
            }
        }
        for (final JsonElement variable : dashboard.getAsJsonObject("templating").getAsJsonArray("list")) {
            if (variable.getAsJsonObject().has("definition")) {
                final MatchResult values = VALUES.matcher(
                    variable.getAsJsonObject().get("definition").getAsString()).results().findFirst().orElseThrow();
                queries.add(new Query(values.group(1), "{{" + values.group(2) + "}}"));
            }
        }
        return queries;
    }

    /** Metrics and labels of a query that no scrape has. Labels must be those of the first metric, the left one. */
    private List<String> unknown(final Query query) {
        final List<String> unknown = new ArrayList<>();
        final List<String> metrics =
            METRIC.matcher(query.expression()).results().map(MatchResult::group).toList();
        metrics.stream().filter(metric -> !labels.containsKey(metric)).forEach(unknown::add);
        final Set<String> known = new TreeSet<>(Set.of("job", "instance"));
        if (!metrics.isEmpty()) {
            known.addAll(labels.getOrDefault(metrics.getFirst(), Set.of()));
        }
        Stream.of(
            ON.matcher(query.expression()).results().flatMap(on -> Stream.of(on.group(1).split(", *"))),
            MATCHER.matcher(query.expression()).results().map(matcher -> matcher.group(1)),
            TEMPLATE.matcher(query.text()).results()
                .map(label -> label.group(1) == null ? label.group(2) : label.group(1)))
            .flatMap(names -> names)
            .filter(name -> !known.contains(name))
            .forEach(name -> unknown.add(query.expression() + " has no label " + name));
        return unknown;
    }

    private static String run(final Path folder, final String... command) throws IOException, InterruptedException {
        final Process process =
            new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + output);
        return output;
    }

    /** Skips the test where a tool is not installed. */
    private static void assumeInstalled(final String tool, final String debianPackage) {
        assumeTrue(
            Stream.of(System.getenv("PATH").split(File.pathSeparator)).anyMatch(
                folder -> Files.isExecutable(Path.of(folder, tool))),
            tool + " is not installed: Debian's package " + debianPackage + " has it");
    }

    @Test
    void shouldAskInAlertsForMetricsAndLabelsThatThereAre() throws IOException {
        final List<Query> queries = queriesOfRules();
        assertEquals(
            Files.readAllLines(RULES).stream().filter(line -> line.contains("alert:")).count(), queries.size());
        assertEquals(List.of(), queries.stream().flatMap(query -> unknown(query).stream()).toList());
    }

    @Test
    void shouldAskInTheDashboardForMetricsAndLabelsThatThereAre() throws IOException {
        final List<Query> queries = queriesOfDashboard();
        assertTrue(queries.size() > 20, queries::toString);
        assertEquals(List.of(), queries.stream().flatMap(query -> unknown(query).stream()).toList());
    }

    @Test
    void shouldFindWhatNoScrapeHas() {
        assertEquals(List.of("sluice_gone"), unknown(new Query("sluice_gone > 1", "")));
        assertEquals(1, unknown(new Query("sluice_transport_up == 0", "{{ $labels.consumer }}")).size());
        assertEquals(1, unknown(new Query("sluice_transport_up{stream=\"1\"}", "{{client}}")).size());
        assertEquals(1, unknown(new Query("sluice_transport_up / on (stream) sluice_link_state", "")).size());
    }

    /** Numbers of states stand in the rules. */
    @Test
    void shouldMeanTheStatesThatTheRulesSay() throws IOException {
        final String rules = Files.readString(RULES);
        assertTrue(rules.contains("- alert: SluiceConsumerDead\n        expr: sluice_consumer_state == "
            + ConsumerState.DEAD.ordinal() + "\n"));
        assertTrue(rules.contains("- alert: SluiceConsumerEvicted\n        expr: sluice_consumer_state == "
            + ConsumerState.EVICTED.ordinal() + "\n"));
        assertTrue(rules.contains("- alert: SluiceLinkBroken\n        expr: sluice_link_state == "
            + LinkState.BROKEN.ordinal() + "\n"));
    }

    @Test
    void shouldTellOfEachAlertOnThePageAndTestIt() throws IOException {
        final Set<String> told = Pattern.compile("`(Sluice[A-Z]\\w+)`").matcher(Files.readString(PAGE)).results()
            .map(alert -> alert.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(alerts(), told);
        final Set<String> tested = Pattern.compile("alertname: (\\w+)").matcher(Files.readString(RULES_TEST)).results()
            .map(alert -> alert.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(alerts(), tested);
    }

    @Test
    void shouldHaveRulesThatPrometheusTakesAndThatFire() throws IOException, InterruptedException {
        assumeInstalled("promtool", "prometheus");
        run(OPS, "promtool", "check", "rules", RULES.getFileName().toString());
        run(OPS, "promtool", "test", "rules", RULES_TEST.getFileName().toString());
    }

    @Test
    void shouldHavePanelsWhoseQueriesPrometheusTakes() throws IOException, InterruptedException {
        assumeInstalled("promtool", "prometheus");
        final StringBuilder rules = new StringBuilder("groups:\n- name: panels\n  rules:\n");
        int number = 0;
        for (final Query query : queriesOfDashboard()) {
            number++;
            rules.append("  - record: panel_").append(number).append("\n    expr: '")
                .append(query.expression().replace("$__rate_interval", "1m")).append("'\n");
        }
        Files.writeString(directory.resolve("panels.yml"), rules);
        run(directory, "promtool", "check", "rules", "panels.yml");
    }

    @Test
    void shouldHaveUnitsThatSystemdTakes() throws IOException, InterruptedException {
        assumeInstalled("systemd-analyze", "systemd");
        final List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify"));
        for (final Path unit : units()) {
            final Path copy = directory.resolve(unit.getFileName());
            Files.writeString(copy, Files.readString(unit).replace(PROGRAM, "/bin/true"));
            command.add(copy.toString());
        }
        assertEquals("", run(directory, command.toArray(String[]::new)));
    }

    private static List<Path> units() throws IOException {
        try (Stream<Path> units = Files.list(OPS.resolve("systemd"))) {
            return units.sorted().toList();
        }
    }

    @Test
    void shouldSetPropertiesInUnitsThatThereAre() throws IOException {
        final String configuration = Files.readString(CONFIGURATION);
        final Set<String> unknown = new TreeSet<>();
        int properties = 0;
        for (final Path unit : units()) {
            for (final MatchResult property
                : Pattern.compile("-D(sluice[\\w.]+)=").matcher(Files.readString(unit)).results().toList()) {
                properties++;
                if (!configuration.contains('`' + property.group(1) + '`')) {
                    unknown.add(unit.getFileName() + ": " + property.group(1));
                }
            }
        }
        assertTrue(properties > 0, OPS::toString);
        assertEquals(Set.of(), unknown);
    }
}
