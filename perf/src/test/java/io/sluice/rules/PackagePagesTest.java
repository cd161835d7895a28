package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A room of the transport imports what its page says that it may, all of it and nothing else. */
class PackagePagesTest {
    private static final Path TRANSPORT = Path.of("../transport/src/main/java/io/sluice/transport");
    private static final Pattern MAY_IMPORT = Pattern.compile("(?ms)May import (.*?)\\.(?: |$)");
    private static final Pattern ROOM = Pattern.compile("\\{@code\\s+(\\w+)}");
    private static final Pattern IMPORT =
        Pattern.compile("(?m)^import (?:static )?io\\.sluice\\.(?:transport\\.)?([a-z]\\w*)\\.");

    @ParameterizedTest
    @ValueSource(strings = {
        "settings", "agent", "peer", "pressure", "stream", "conductor", "monitor", "receive", "send", "buffer",
        "counters", "status"})
    void shouldImportWhatItsPageSays(final String room) throws IOException {
        final String page = Files.readString(TRANSPORT.resolve(room).resolve("package-info.java"));
        final MatchResult said = MAY_IMPORT.matcher(page).results().findFirst().orElseThrow();
        final Set<String> imported = new TreeSet<>();
        for (final Path source : sources(room)) {
            imported.addAll(groups(IMPORT, Files.readString(source)));
        }
        imported.remove(room);
        assertEquals(imported, new TreeSet<>(groups(ROOM, said.group(1))));
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
