package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** The options of {@code ./sluice jmh} that pages and the launcher's help tell are JMH's. */
class JmhOptionsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern COMMAND = Pattern.compile("\\./sluice jmh([^`\\n|#]*)");
    private static final Pattern HELP = Pattern.compile("(?m)^  jmh .*(-[a-z]+) lists them");

    @Test
    void shouldKnowTheOptionsThatThePagesTell() throws IOException {
        final Set<String> told = told();
        assertTrue(told.size() > 5, told::toString);
        for (final String arguments : told) {
            assertDoesNotThrow(() -> new CommandLineOptions(arguments.split(" ")), arguments);
        }
    }

    @Test
    void shouldNoticeAnOptionThatJmhHasNot() {
        assertThrows(CommandLineOptionException.class, () -> new CommandLineOptions("OfferPoll", "-forks", "3"));
    }

    private static Set<String> told() throws IOException {
        final Set<String> told = new TreeSet<>();
        HELP.matcher(Files.readString(ROOT.resolve("sluice"))).results().forEach(match -> told.add(match.group(1)));
        assertTrue(told.contains("-l"), told::toString);
        for (final Path page : pages()) {
            COMMAND.matcher(Files.readString(page)).results().map(match -> match.group(1).strip())
                .filter(arguments -> !arguments.isEmpty()).forEach(told::add);
        }
        return told;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs")); Stream<Path> perf = Files.walk(Path.of("."))) {
            return Stream.concat(docs, perf)
                .filter(file -> file.toString().endsWith(".md") && !file.toString().contains("target")).toList();
        }
    }
}
