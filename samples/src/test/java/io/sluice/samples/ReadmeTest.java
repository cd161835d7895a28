package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The code that the README shows is what compiles, and the tests that native's tables name are there.
 */
class ReadmeTest {
    private static final Path SAMPLES = Path.of("src/main/java/io/sluice/samples");
    private static final Path CONSUMER = Path.of("consumer/src/main/java/demo/Main.java");
    private static final Path NATIVE = Path.of("../native");
    /** Providers by their letters, perhaps with what others do. */
    private static final Pattern PROVIDERS = Pattern.compile("[SELR]( [SELR])*(;| \\|)");
    /** A class of tests, perhaps with one of its methods. */
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:#(\\w+))?`");

    @ParameterizedTest
    @CsvSource({"README.md, learn/Sample1PublishSubscribe.java", "docs/guide/librpma.md, rpma/RpmaSample.java"})
    void shouldShowTheSampleVerbatim(final String page, final String file) throws IOException {
        assertEquals(sample(SAMPLES.resolve(file)), between(Files.readString(Path.of("..", page)), "```java\n", "```"));
    }

    /** The project of a consumer, which {@code ./sluice test --artifacts} builds and runs, has the same program. */
    @Test
    void shouldGiveTheConsumerTheProgramOfTheReadme() throws IOException {
        assertEquals(sample(CONSUMER), between(Files.readString(Path.of("../README.md")), "```java\n", "```"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TEST-CASES.md", "MANUAL-PAGES.md"})
    void shouldNameTestsThatAreThere(final String page) throws IOException {
        final List<MatchResult> named = TEST.matcher(Files.readString(NATIVE.resolve(page))).results().toList();
        final Map<String, String> tests = tests();
        assertTrue(named.size() > 30, () -> "tests named: " + named.size());
        assertEquals(List.of(), named.stream().filter(name -> !isThere(tests, name.group(1), name.group(2)))
            .map(MatchResult::group).toList());
    }

    /** Sentence, method, tests, providers; each row has all four. */
    @Test
    void shouldNameATestAndAProviderForEverySentence() throws IOException {
        final String tables = between(Files.readString(NATIVE.resolve("MANUAL-PAGES.md")),
            "## Sentence by sentence\n", null);
        final List<String[]> rows = tables.lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| sentence"))
            .map(line -> line.split(" \\| ")).toList();
        assertTrue(rows.size() > 70, () -> "rows: " + rows.size());
        for (final String[] row : rows) {
            assertEquals(4, row.length, row[0]);
            assertTrue(TEST.matcher(row[2]).find(), row[0]);
            assertTrue(PROVIDERS.matcher(row[3]).lookingAt(), row[0]);
        }
    }

    private static boolean isThere(final Map<String, String> tests, final String name, final String method) {
        return tests.containsKey(name) && (method == null || tests.get(name).contains(" void " + method + "("));
    }

    /** Sources of all classes of tests that the tables are about, by their names. */
    private static Map<String, String> tests() throws IOException {
        try (Stream<Path> ofVerbs = Files.walk(Path.of("../native/src/test/java"));
            Stream<Path> ofTransport = Files.walk(Path.of("../transport"))) {
            return Stream.concat(ofVerbs, ofTransport).filter(file -> file.toString().endsWith("Test.java"))
                .collect(Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""), ReadmeTest::source,
                    (one, other) -> one + other));
        }
    }

    private static String source(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sample(final Path file) throws IOException {
        final String region = between(Files.readString(file), "// README: begin\n", "// README: end");
        return region.stripIndent().strip() + "\n";
    }

    private static String between(final String text, final String begin, final String end) {
        final int from = text.indexOf(begin);
        assertTrue(from >= 0, () -> "missing: " + begin);
        final int to = end == null ? text.length() : text.indexOf(end, from + begin.length());
        assertTrue(to >= 0, () -> "missing: " + end);
        return text.substring(from + begin.length(), to);
    }
}
