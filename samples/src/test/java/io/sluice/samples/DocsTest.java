package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.EvictionOptions;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Quotas;
import io.sluice.transport.Timeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages for people say what is true of the code: links, commands, channel keys, properties and defaults.
 */
class DocsTest {
    /** Types whose setters have a table each on the page of the configuration. */
    static final List<Class<?>> CONFIGURED = List.of(Context.class, LinkOptions.class, Timeouts.class,
        EvictionOptions.class, Quotas.class, PollerOptions.class);

    private static final Path ROOT = Path.of("..");
    private static final Path GUIDE = ROOT.resolve("docs/guide");
    private static final Path DECISIONS = ROOT.resolve("docs/decisions");

    /** A newcomer reads it in two minutes. */
    private static final int README_MAX_LINES = 120;
    /** The lines of one version, which a user reads as a whole: what there is, not how it came to be so. */
    private static final int CHANGELOG_MAX_LINES = 30;
    /** A page of the guide is one task. */
    private static final int GUIDE_MAX_WORDS = 1200;
    /** A question that was settled. */
    private static final int DECISION_MAX_WORDS = 900;
    /** Any other page that people are to read to its end. */
    private static final int PAGE_MAX_WORDS = 2500;
    /** Mostly tables, to look something up in. */
    private static final int REFERENCE_MAX_WORDS = 3000;
    private static final Set<Path> REFERENCES = Stream.of("native", "perf").map(ROOT::resolve)
        .collect(Collectors.toSet());
    private static final List<String> HEADINGS_OF_MESSAGES =
        List.of("message", "message of a device", "message of a script", "reason");
    /** Texts that are searched for share a row only where few are to be read to find one. */
    private static final int MAX_MESSAGES_OF_ROW = 5;

    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern LINK =
        Pattern.compile("(?<!!)\\[[^\\]\\n]*(?:\\[[^\\]]*][^\\]\\n]*)?]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern COMMAND = Pattern.compile("\\./sluice ([a-z][a-z-]*)");
    /** A line of the launcher's usage that begins with a command. */
    private static final Pattern COMMAND_OF_USAGE = Pattern.compile("(?m)^  ([a-z][a-z-]*) +\\S");
    /** A script of ours, or a program that one of them runs; what it writes has an extension. */
    private static final Pattern SCRIPT =
        Pattern.compile("(?<![\\w./-])((?:native/lab|transport|\\.ci)/[a-z-]+)(?![\\w/.-])");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String JAVA = ".java";
    private static final String TEST_FILE = "Test" + JAVA;
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w*Test)`");
    /** The words in the place of a test, where a sentence is about others. */
    private static final String NOT_OURS = "outside this program";
    private static final Pattern PROPERTY = Pattern.compile("(?<![\\w./])sluice(?:\\.[a-z]+)+");

    /** Names that look like a property and are none: files, and a name of the build. */
    private static final Set<String> NO_PROPERTIES = Set.of("sluice.key", "sluice.api.base", "sluice.jfc");
    /** Properties that the benchmarks set for their own processes. */
    private static final Set<String> ELSEWHERE = Set.of("sluice.perf.downcall");

    @Test
    void shouldResolveEveryLinkAndAnchor() throws IOException {
        final List<String> broken = new ArrayList<>();
        for (final Path page : Pages.below(ROOT)) {
            for (final MatchResult link : LINK.matcher(withoutCode(page)).results().toList()) {
                final String target = link.group(1);
                if (!target.matches("[a-z]+:.*") && !leadsSomewhere(page, target)) {
                    broken.add(ROOT.relativize(page) + " → " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leadsSomewhere(final Path page, final String target) throws IOException {
        final int hash = target.indexOf('#');
        final String path = hash < 0 ? target : target.substring(0, hash);
        final Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return Files.exists(file) && (hash < 0 || anchors(file).contains(target.substring(hash + 1)));
    }

    private static Set<String> anchors(final Path page) throws IOException {
        return HEADING.matcher(withoutCode(page)).results()
            .map(heading -> heading.group(1).toLowerCase(Locale.ROOT)
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
            .collect(Collectors.toSet());
    }

    @Test
    void shouldNameTestsThatThereAre() throws IOException {
        final Set<String> there = Pages.below(ROOT, TEST_FILE).stream().map(file -> file.getFileName().toString())
            .map(name -> name.substring(0, name.length() - JAVA.length())).collect(Collectors.toSet());
        final List<String> missing = new ArrayList<>();
        for (final Path page : Pages.below(ROOT)) {
            TEST_NAME.matcher(Files.readString(page)).results().map(name -> name.group(1))
                .filter(name -> !there.contains(name))
                .forEach(name -> missing.add(ROOT.relativize(page) + ": " + name));
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void shouldNameATestBesideEverySentenceAboutSecurity() throws IOException {
        final List<String> lacking = Files.readAllLines(ROOT.resolve("SECURITY.md")).stream()
            .filter(line -> line.startsWith("| ") && !line.endsWith("| shown by |"))
            .filter(row -> !TEST_NAME.matcher(lastCell(row)).find() && !lastCell(row).equals(NOT_OURS))
            .toList();
        assertEquals(List.of(), lacking);
    }

    private static String lastCell(final String row) {
        final String[] cells = row.split("\\|");
        return cells[cells.length - 1].strip();
    }

    private static int maxWords(final Path page) {
        return page.startsWith(GUIDE) ? GUIDE_MAX_WORDS
            : page.startsWith(DECISIONS) ? DECISION_MAX_WORDS
            : REFERENCES.stream().anyMatch(page::startsWith) ? REFERENCE_MAX_WORDS : PAGE_MAX_WORDS;
    }

    @Test
    void shouldKeepPagesShort() throws IOException {
        final List<String> tooLong = new ArrayList<>();
        final long readmeLines = Files.readString(ROOT.resolve("README.md")).lines().count();
        if (readmeLines > README_MAX_LINES) {
            tooLong.add("README.md: " + readmeLines + " lines");
        }
        for (final String version : Files.readString(ROOT.resolve("CHANGELOG.md")).split("(?m)^(?=## )")) {
            if (version.lines().count() > CHANGELOG_MAX_LINES) {
                tooLong.add("CHANGELOG.md: " + version.lines().count() + " lines of " + version.lines().findFirst());
            }
        }
        for (final Path page : Pages.below(ROOT)) {
            final int words = Files.readString(page).trim().split("\\s+").length;
            if (words > maxWords(page)) {
                tooLong.add(ROOT.relativize(page) + ": " + words + " words");
            }
        }
        assertEquals(List.of(), tooLong);
    }

    @Test
    void shouldKeepRowsOfMessagesShort() throws IOException {
        final List<String> tooLong = new ArrayList<>();
        for (final Path page : pagesOfMessages()) {
            for (final String heading : HEADINGS_OF_MESSAGES) {
                for (final List<String> row : rowsIfAny(page, heading)) {
                    final List<String> messages = codes(row.getFirst());
                    if (messages.size() > MAX_MESSAGES_OF_ROW) {
                        tooLong.add(page.getFileName() + ": " + messages.size() + " with " + messages.getFirst());
                    }
                }
            }
        }
        assertEquals(List.of(), tooLong);
    }

    @Test
    void shouldSayOfEveryDecisionWhyWhatWasTriedWhatWasChosenAndWhenToLookAgain() throws IOException {
        final List<String> lacking = new ArrayList<>();
        for (final Path page : Pages.below(ROOT.resolve("docs/decisions"))) {
            if (page.getFileName().toString().matches("[0-9]{3}-.*")) {
                final List<String> headings = HEADING.matcher(withoutCode(page)).results()
                    .map(heading -> heading.group(1)).toList();
                for (final String wanted : List.of(
                    "Context", "What was .*(tried|weighed|given up).*", "What was .*chosen.*", "When to look again")) {
                    if (headings.stream().noneMatch(heading -> heading.matches(wanted))) {
                        lacking.add(ROOT.relativize(page) + ": " + wanted);
                    }
                }
            }
        }
        assertEquals(List.of(), lacking);
    }

    /** The site is not made by every test run, and is refused when its sidebar lacks a page. */
    @Test
    void shouldHaveEachPageOfTheGuideInTheSidebarOfTheSite() throws IOException {
        final String sidebar = Files.readString(ROOT.resolve("docs/site/.vitepress/config.mjs"));
        final int begin = sidebar.indexOf("const order = [");
        final Set<String> listed = new TreeSet<>();
        Pattern.compile("'([a-z-]+)'").matcher(sidebar.substring(begin, sidebar.indexOf("]", begin + 15)))
            .results().forEach(name -> listed.add(name.group(1)));
        final Set<String> pages = new TreeSet<>();
        for (final Path page : Pages.below(GUIDE)) {
            pages.add(page.getFileName().toString().replaceFirst("\\.md$", ""));
        }
        assertEquals(pages, listed);
    }

    @Test
    void shouldNameCommandsThatAreThere() throws IOException {
        final Set<String> known = COMMAND_OF_USAGE.matcher(Files.readString(ROOT.resolve("sluice"))).results()
            .map(match -> match.group(1)).collect(Collectors.toSet());
        assertTrue(known.contains("ping-pong") && known.contains("soak"), () -> "commands of the launcher: " + known);
        final List<String> unknown = new ArrayList<>();
        for (final Path page : Pages.below(ROOT)) {
            COMMAND.matcher(Files.readString(page)).results().map(match -> match.group(1))
                .filter(command -> !known.contains(command))
                .forEach(command -> unknown.add(ROOT.relativize(page) + ": ./sluice " + command));
        }
        assertEquals(List.of(), unknown);
    }

    @Test
    void shouldNameScriptsThatAreThere() throws IOException {
        final Set<String> named = new TreeSet<>();
        for (final Path page : Pages.below(ROOT)) {
            SCRIPT.matcher(Files.readString(page)).results().map(match -> match.group(1)).forEach(named::add);
        }
        assertTrue(named.contains("native/lab/suite") && named.contains(".ci/run"), () -> "scripts named: " + named);
        assertEquals(List.of(), named.stream().filter(script -> !Files.exists(ROOT.resolve(script))).toList());
    }

    @Test
    void shouldListEveryChannelKey() throws IOException {
        final Matcher keys = Pattern.compile("(?m)^ {4}static final String [A-Z_]+ = \"([a-z-]+)\";").matcher(
            Files.readString(ROOT.resolve("transport/src/main/java/io/sluice/transport/ChannelUri.java")));
        final Set<String> expected = keys.results().map(key -> key.group(1))
            .filter(key -> !Set.of("ipc", "rdma").contains(key)).collect(Collectors.toCollection(TreeSet::new));
        final Set<String> listed = new TreeSet<>();
        for (final List<String> row : rows(GUIDE.resolve("channels.md"), "key")) {
            listed.addAll(codes(row.getFirst()));
        }
        assertEquals(expected, listed);
    }

    @Test
    void shouldListEveryPropertyAndDefault() throws ReflectiveOperationException, IOException {
        final Map<String, String> listed = new HashMap<>();
        for (final Class<?> type : CONFIGURED) {
            for (final List<String> row : rows(GUIDE.resolve("configuration.md"), "`" + type.getSimpleName() + "`")) {
                codes(row.get(1)).forEach(property -> listed.put(property, row.get(2)));
                codes(row.getFirst()).forEach(name -> assertHasSetter(type, name));
            }
        }
        final Set<String> expected = new TreeSet<>();
        final List<String> wrong = new ArrayList<>();
        for (final Field field : Configuration.class.getFields()) {
            if (field.getName().endsWith("_PROP")) {
                final String property = (String) field.get(null);
                expected.add(property);
                final Object value = defaultOf(field.getName().replace("_PROP", ""));
                if (value != null && !matches(listed.getOrDefault(property, ""), value)) {
                    wrong.add(property + " is " + value + ", documented as " + listed.get(property));
                }
            }
        }
        assertEquals(expected, new TreeSet<>(listed.keySet()));
        assertEquals(List.of(), wrong);
    }

    private static void assertHasSetter(final Class<?> type, final String name) {
        assertTrue(
            Arrays.stream(type.getMethods())
                .anyMatch(method -> method.getName().equals(name) && method.getParameterCount() == 1),
            () -> type.getSimpleName() + " has no setter " + name);
    }

    @Test
    void shouldListEveryFieldOfContextAndItsValues() throws IOException {
        for (final Class<?> type : CONFIGURED) {
            final Set<String> setters = Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 1 && type.isAssignableFrom(method.getReturnType())
                    && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
            final Set<String> listed = new TreeSet<>();
            for (final List<String> row : rows(GUIDE.resolve("configuration.md"), "`" + type.getSimpleName() + "`")) {
                listed.addAll(codes(row.getFirst()));
            }
            assertEquals(setters, listed);
        }
    }

    private static Object defaultOf(final String name) throws IllegalAccessException {
        for (final String suffix : List.of("_DEFAULT", "_DEFAULT_NS")) {
            try {
                return Configuration.class.getField(name + suffix).get(null);
            } catch (final NoSuchFieldException e) {
                // With the other suffix, or without a constant.
            }
        }
        return null;
    }

    /** Whether a cell of the reference, such as {@code `4m`}, 256 or {@code `10us`}, is a constant's value. */
    private static boolean matches(final String cell, final Object value) {
        final String text = cell.replace("`", "").replaceAll("[,;].*", "").trim();
        if (value instanceof String) {
            return text.equals(value);
        }
        final Matcher quantity = Pattern.compile("([0-9]+)(ns|us|ms|s|k|m|g)?").matcher(text);
        return quantity.matches()
            && Long.parseLong(quantity.group(1)) * unit(quantity.group(2)) == ((Number) value).longValue();
    }

    private static long unit(final String name) {
        return switch (name) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "k" -> 1L << 10;
            case "m" -> 1L << 20;
            case "g" -> 1L << 30;
            case null, default -> 1;
        };
    }

    @Test
    void shouldNamePropertiesThatTheCodeReads() throws IOException {
        final Set<String> read = properties("src");
        final List<String> unknown = new ArrayList<>();
        for (final Path page : Pages.below(ROOT)) {
            PROPERTY.matcher(Files.readString(page)).results().map(MatchResult::group)
                .filter(name -> !NO_PROPERTIES.contains(name) && !read.contains(name))
                .forEach(name -> unknown.add(ROOT.relativize(page) + ": " + name));
        }
        assertEquals(List.of(), unknown);
        final String reference = Files.readString(GUIDE.resolve("configuration.md"));
        assertEquals(List.of(), properties("src/main").stream()
            .filter(name -> !ELSEWHERE.contains(name) && !reference.contains("`" + name + "`")).sorted().toList());
    }

    private static Set<String> properties(final String folder) throws IOException {
        return Pattern.compile("\"(" + PROPERTY + ")\"").matcher(code(folder)).results()
            .map(match -> match.group(1)).collect(Collectors.toSet());
    }

    /** All Java of the modules below a folder of each. */
    private static String code(final String folder) throws IOException {
        final List<Path> modules = new ArrayList<>(
            Stream.of("native", "codec", "transport", "metrics", "samples", "perf", "rules")
                .map(ROOT::resolve).toList());
        try (Stream<Path> tests = Files.list(ROOT.resolve("transport/tests"))) {
            tests.forEach(modules::add);
        }
        final StringBuilder code = new StringBuilder();
        for (final Path module : modules) {
            if (Files.exists(module.resolve(folder))) {
                try (Stream<Path> files = Files.walk(module.resolve(folder))) {
                    files.filter(file -> file.toString().endsWith(".java")).map(DocsTest::read).forEach(code::append);
                }
            }
        }
        return code.toString();
    }

    /** The page of the frequent messages and those of all others. */
    static List<Path> pagesOfMessages() throws IOException {
        try (Stream<Path> pages = Files.list(GUIDE)) {
            return pages.filter(page -> page.getFileName().toString().matches("troubleshooting\\.md|messages.*\\.md"))
                .toList();
        }
    }

    private static String withoutCode(final Path page) throws IOException {
        return CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    }

    static List<List<String>> rows(final Path page, final String firstHeading) throws IOException {
        final List<List<String>> rows = rowsIfAny(page, firstHeading);
        assertTrue(!rows.isEmpty(), () -> "no table in " + page + " begins with " + firstHeading);
        return rows;
    }

    /** Rows of the tables of a page whose first column has this heading, cell by cell. */
    static List<List<String>> rowsIfAny(final Path page, final String firstHeading) throws IOException {
        final List<List<String>> rows = new ArrayList<>();
        boolean isInside = false;
        for (final String line : Files.readAllLines(page)) {
            final List<String> cells = cells(line);
            if (cells.isEmpty()) {
                isInside = false;
            } else if (cells.getFirst().equals(firstHeading)) {
                isInside = true;
            } else if (isInside && !cells.getFirst().matches("-+")) {
                rows.add(cells);
            }
        }
        return rows;
    }

    private static List<String> cells(final String line) {
        return line.startsWith("|") && line.endsWith("|")
            ? Arrays.stream(line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1)).map(String::trim).toList()
            : List.of();
    }

    static List<String> codes(final String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
