package io.sluice.perf.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import io.aeron.driver.MediaDriver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Six programs in the manner of Aeron's samples, once over Aeron and once over Sluice: either runs, and the page for
 * those who come from Aeron tells how many lines differ.
 */
class PortedSamplesTest {
    private static final Path SOURCES = Path.of("src/test/java/io/sluice/perf/port");
    private static final Path PAGE = Path.of("../docs/guide/from-aeron-settings.md");
    private static final List<String> SAMPLES = List.of("BasicPublisher", "BasicSubscriber", "StreamingPublisher",
        "RateSubscriber", "EmbeddedPingPong", "SimplePair");
    private static final long LIMIT_SECONDS = 60;

    @TempDir
    Path directory;

    private final PrintStream out = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void setUp() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setProperty("sluice.dir", directory.toString());
    }

    @AfterEach
    void tearDown() {
        System.setOut(out);
        System.clearProperty("sluice.dir");
        System.clearProperty("aeron.dir");
    }

    @Test
    void shouldTellHowManyLinesDiffer() throws IOException {
        final StringBuilder rows = new StringBuilder();
        for (final String sample : SAMPLES) {
            final List<String> aeron = Files.readAllLines(SOURCES.resolve("aeron/" + sample + ".java"));
            final List<String> sluice = Files.readAllLines(SOURCES.resolve("sluice/" + sample + ".java"));
            final List<String> changed = DiffUtils.diff(aeron, sluice).getDeltas().stream()
                .map(AbstractDelta::getSource).flatMap(chunk -> chunk.getLines().stream()).toList();
            final long imports = changed.stream().filter(PortedSamplesTest::isImport).count();
            rows.append("| ").append(sample).append(" | ").append(aeron.size()).append(" | ").append(imports)
                .append(" | ").append(changed.size() - imports).append(" |\n");
        }

        final String page = Files.readString(PAGE);
        assertTrue(page.contains(rows), () -> PAGE + " has not these rows:\n" + rows);
    }

    private static boolean isImport(final String line) {
        return line.startsWith("import ") || line.startsWith("package ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"aeron", "sluice"})
    void shouldRunOverEither(final String transport) throws Exception {
        try (MediaDriver driver = "aeron".equals(transport) ? MediaDriver.launchEmbedded() : null) {
            if (driver != null) {
                System.setProperty("aeron.dir", driver.aeronDirectoryName());
            }
            final CompletableFuture<Void> subscriber = run(transport, "BasicSubscriber", "10");
            run(transport, "BasicPublisher", "10").get(LIMIT_SECONDS, TimeUnit.SECONDS);
            subscriber.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            final CompletableFuture<Void> rate = run(transport, "RateSubscriber");
            run(transport, "StreamingPublisher", "100000").get(LIMIT_SECONDS, TimeUnit.SECONDS);
            rate.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            run(transport, "EmbeddedPingPong", "1000").get(LIMIT_SECONDS, TimeUnit.SECONDS);
            run(transport, "SimplePair").get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        final String text = printed.toString(StandardCharsets.UTF_8);
        assertEquals(1, count(text, "published 10\n"), text);
        assertEquals(10, count(text, ": message "), text);
        assertEquals(1, count(text, "received 10\n"), text);
        assertEquals(1, count(text, "published 100000, "), text);
        assertEquals(1, count(text, "received 100000, 3200000 bytes, "), text);
        assertEquals(1, count(text, "round trips 1000\n"), text);
        assertEquals(1, count(text, "received hello\n"), text);
    }

    private static int count(final String text, final String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    private static CompletableFuture<Void> run(
        final String transport, final String sample, final String... arguments) {
        return CompletableFuture.runAsync(() -> {
            try {
                Class.forName(PortedSamplesTest.class.getPackageName() + "." + transport + "." + sample)
                    .getMethod("main", String[].class).invoke(null, (Object) arguments);
            } catch (final ReflectiveOperationException ex) {
                throw new IllegalStateException(ex);
            }
        }, command -> new Thread(command, sample).start());
    }
}
