package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the README shows is what compiles.
 */
class ReadmeTest {
    private static final Path SAMPLES = Path.of("src/main/java/io/sluice/samples");

    @ParameterizedTest
    @CsvSource({"Publish and subscribe, PublishSubscribeSample.java", "librpma, rpma/RpmaSample.java"})
    void shouldShowTheSampleVerbatim(final String heading, final String file) throws IOException {
        final String readme = Files.readString(Path.of("../README.md"));
        final String section = between(readme, "## " + heading + "\n", null);
        assertEquals(sample(file), between(section, "```java\n", "```"));
    }

    private static String sample(final String file) throws IOException {
        final String region =
            between(Files.readString(SAMPLES.resolve(file)), "// README: begin\n", "// README: end");
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
