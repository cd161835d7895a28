package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The whole check runs the tests that {@code ./sluice test} leaves out, in whatever module they are. */
class LongTestsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LEFT_OUT = Pattern.compile("@Tag\\(\"(long|slow)\"\\)");
    private static final Pattern MODULES =
        Pattern.compile("-pl (\\S+?),\\$\\(printf 'transport/tests/%s,' ([a-z\\- ]+)\\)(\\S+) -am");

    @Test
    void shouldRunThoseOfEveryModule() throws IOException {
        final var matcher = MODULES.matcher(Files.readString(ROOT.resolve(".ci/run")));
        assertTrue(matcher.find(), "modules of the long tests");
        final Set<String> run = Stream.concat(
            Stream.concat(Stream.of(matcher.group(1).split(",")), Stream.of(matcher.group(3))),
            Stream.of(matcher.group(2).split(" ")).map("transport/tests/"::concat)).collect(Collectors.toSet());

        final Set<String> needed = new TreeSet<>();
        for (final Path test : tests()) {
            if (LEFT_OUT.matcher(Files.readString(test)).find()) {
                needed.add(moduleOf(test));
            }
        }
        assertFalse(needed.isEmpty());
        needed.removeAll(run);
        assertEquals(Set.of(), needed, "modules whose long and slow tests nobody runs");
    }

    private static List<Path> tests() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("/src/test/java/")
                && file.toString().endsWith(".java") && !file.toString().contains("/target/")).toList();
        }
    }

    private static String moduleOf(final Path test) {
        final String path = ROOT.relativize(test).toString();
        return path.substring(0, path.indexOf("/src/test/java/"));
    }
}
