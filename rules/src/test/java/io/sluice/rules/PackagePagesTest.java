package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page of a room has lines enough, and not too many; it says where to begin, on which threads, and what the room
 * may import, which is all that it imports, and nothing else.
 */
class PackagePagesTest {
    private static final Path TRANSPORT = Path.of("../transport/src/main/java/io/sluice/transport");
    private static final Pattern MAY_IMPORT = Pattern.compile("(?ms)May import (.*?)\\.(?: |$)");
    private static final Pattern ROOM = Pattern.compile("\\{@code\\s+(\\w+)}");
    private static final Pattern IMPORT =
        Pattern.compile("(?m)^import (?:static )?io\\.sluice\\.(?:transport\\.)?([a-z]\\w*)\\.");

    /** Lines of a page, short enough that it is read to its end. */
    private static final int FEWEST_LINES = 15;
    private static final int MOST_LINES = 30;
    private static final Map<String, Pattern> PARTS = new TreeMap<>(Map.of(
        "picture", Pattern.compile("<pre>"), "entry", Pattern.compile("\\bentr(?:y|ies)\\b"),
        "thread", Pattern.compile("(?i)\\bthreads?\\b"), "imports", Pattern.compile("\\bMay import\\b")));

    @ParameterizedTest
    @ValueSource(strings = {
        "settings", "agent", "peer", "pressure", "stream", "conductor", "monitor", "receive", "send", "carrier",
        "buffer", "counters", "flight", "status", "layout", "completion"})
    void shouldImportWhatItsPageSays(final String room) throws IOException {
        final String page = Files.readString(TRANSPORT.resolve(room).resolve("package-info.java"));
        final MatchResult told = MAY_IMPORT.matcher(page).results().findFirst().orElseThrow();
        final Set<String> imported = new TreeSet<>();
        for (final Path source : sources(room)) {
            imported.addAll(groups(IMPORT, Files.readString(source)));
        }
        imported.remove(room);
        assertEquals(imported, new TreeSet<>(groups(ROOM, told.group(1))));
    }

    /** The API's own page stands in the folder of all rooms. */
    @ParameterizedTest
    @ValueSource(strings = {
        ".", "settings", "agent", "peer", "pressure", "stream", "conductor", "monitor", "receive", "send", "carrier",
        "buffer", "counters", "flight", "status", "layout", "completion"})
    void shouldHaveAPageThatIsReadToItsEnd(final String room) throws IOException {
        assertEquals(List.of(), lacking(Files.readString(TRANSPORT.resolve(room).resolve("package-info.java"))));
    }

    @Test
    void shouldRefuseAPageThatLacksSomething() {
        assertEquals(
            List.of("lines=3", "entry", "imports", "picture", "thread"), lacking("/**\n * A room.\n */\n"));
    }

    /** {@return parts that a page lacks} */
    private static List<String> lacking(final String page) {
        final List<String> lacking = new ArrayList<>();
        final long lines = page.lines().count();
        if (lines < FEWEST_LINES || lines > MOST_LINES) {
            lacking.add("lines=" + lines);
        }
        PARTS.forEach((part, pattern) -> {
            if (!pattern.matcher(page).find()) {
                lacking.add(part);
            }
        });
        return lacking;
    }

    private static List<Path> sources(final String room) throws IOException {
        try (Stream<Path> files = Files.list(TRANSPORT.resolve(room))) {
            return files.toList();
        }
    }

    private static List<String> groups(final Pattern pattern, final String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
