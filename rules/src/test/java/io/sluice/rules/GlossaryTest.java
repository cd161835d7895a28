package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The glossary stays short enough to be read, and what it has one word for has no other one. */
class GlossaryTest {
    private static final Path ROOT = Path.of("..");
    private static final int MAX_WORDS = 35;
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([a-z][a-z ,-]*) \\| (.+) \\|$");

    @Test
    void shouldHaveFewWordsAndEachOnceInOrder() throws IOException {
        final String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        final List<String> words = ROW.matcher(page.substring(page.indexOf("## Glossary"))).results()
            .map(row -> row.group(1)).filter(word -> !word.equals("word")).toList();
        assertEquals(List.copyOf(new TreeSet<>(words)), words);
        assertTrue(words.size() > MAX_WORDS / 2 && words.size() <= MAX_WORDS, () -> "words=" + words.size());
    }

    @ParameterizedTest
    @CsvSource({
        "image,                     (?i)(?<!@)\\blink\\s?(view|image)s?\\b",
        "inbound link,              (?i)\\binbound\\s?(stream|image)s?\\b",
        "a subscription of a peer,  (?i)\\bremote\\s?(publication|subscription|stream)s?\\b",
        "epoch,                     (?i)\\b(lives|life) of (a|the) link\\b|\\blink's (life|lives)\\b",
        "polling thread,            (?i)\\bidle poller\\b",
        "stream id,                 (?i)\\b(publications of (a|one)|others of the same) stream\\b(?! id)"})
    void shouldCallByOneName(final String word, final String other) {
        final Pattern pattern = Pattern.compile(other);
        final List<String> found =
            texts("docs", "codec/src/main", "samples/src/main", "transport/src/main")
                .filter(text -> pattern.matcher(read(text)).find()).map(Path::toString).toList();
        assertEquals(List.of(), found, () -> "called by another name: " + word);
    }

    @Test
    void shouldKeepSessionForPublicationsAmongLinks() {
        final Pattern control =
            Pattern.compile("\\bConnectedPeer session\\b|\\blink\\.session\\(\\)|(?<!control )session is lost");
        final List<String> found = texts("transport/src/main/java/io/sluice/transport/stream")
            .filter(text -> control.matcher(read(text)).find()).map(Path::toString).toList();
        assertEquals(List.of(), found);
    }

    private static Stream<Path> texts(final String... folders) {
        return Stream.of(folders).flatMap(folder -> walk(ROOT.resolve(folder)))
            .filter(file -> file.toString().endsWith(".java") || file.toString().endsWith(".md"));
    }

    private static Stream<Path> walk(final Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
