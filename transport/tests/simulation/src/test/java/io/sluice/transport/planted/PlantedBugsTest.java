package io.sluice.transport.planted;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.kit.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bugs that there are can be planted in the sources as they are; that they are found takes minutes. */
class PlantedBugsTest {
    private static final Path ROOT = Checkout.root();
    private static final Path FOLDER = Path.of("src/test/planted-bugs");
    private static final List<String> MODULES = List.of(
        "native", "transport", "transport/tests/behaviour", "transport/tests/hostile", "transport/tests/end-to-end",
        "transport/tests/simulation");
    private static final int FEWEST = 40;
    private static final int FEWEST_OF_A_KIND = 2;

    private static List<PlantedBug> bugs() throws IOException {
        return PlantedBug.readAll(FOLDER);
    }

    private static List<String> names() throws IOException {
        return bugs().stream().map(PlantedBug::name).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldBePlantedInTheSourcesAsTheyAre(final String name, @TempDir final Path folder) throws IOException {
        Planter.plant(PlantedBug.read(FOLDER.resolve(name + PlantedBug.ENDING)), SourceTree.of(ROOT), folder);
        try (Stream<Path> classes = Files.walk(folder.resolve("classes"))) {
            assertTrue(classes.anyMatch(file -> file.toString().endsWith(".class")));
        }
    }

    @Test
    void shouldBeEnough() throws IOException {
        assertTrue(bugs().size() >= FEWEST, () -> "fewer than " + FEWEST);
    }

    @Test
    void shouldBreakEachMechanismThatAPromiseRestsOn() throws IOException {
        final Map<BugKind, Long> counts = bugs().stream().collect(groupingBy(PlantedBug::kind, counting()));
        for (final BugKind kind : BugKind.PROMISED) {
            assertTrue(counts.getOrDefault(kind, 0L) >= FEWEST_OF_A_KIND, () -> kind + ": " + counts);
        }
    }

    @Test
    void shouldNameTestsThatThereAre() throws IOException {
        final List<String> unknown = new ArrayList<>();
        int finders = 0;
        for (final PlantedBug bug : bugs()) {
            finders += bug.finders().size();
            bug.finders().stream().filter(finder -> !isTest(finder)).map(finder -> bug.name() + ": " + finder)
                .forEach(unknown::add);
        }
        assertEquals(List.of(), unknown);
        assertTrue(finders > 0, "no bug names a test");
    }

    /** Whether a finder is a test, by the sources: tests of another module are not on this one's class path. */
    private static boolean isTest(final String finder) {
        final String[] parts = finder.split("#", 2);
        return MODULES.stream()
            .map(module -> ROOT.resolve(module).resolve("src/test/java/" + parts[0].replace('.', '/') + ".java"))
            .filter(Files::exists)
            .anyMatch(file -> parts.length == 1 || read(file).contains("void " + parts[1] + "("));
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
