package io.sluice.transport.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTreeTest {
    private static final String HOUSE = "native/src/main/java/town/house/Door.java";
    private static final String CAR = "transport/src/main/java/town/car/Door.java";
    private static final String KEY = "transport/src/main/java/town/car/Key.java";

    @TempDir
    private Path root;

    @BeforeEach
    void write() throws IOException {
        write(HOUSE, "class Door { void close() { lock(1); } }");
        write(CAR, "class Door { void close() { lock(2); } }");
        write(KEY, "class Key { void turn() { left(); right(); } }");
    }

    private void write(final String file, final String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    private Map<Path, String> with(final Change... changes) throws IOException {
        return SourceTree.of(root).with(
            new PlantedBug("lost-key", "A key is lost.", "no way in.", BugKind.CALLS, List.of(), List.of(changes)));
    }

    @Test
    void shouldFindAClassInAnyPackage() throws IOException {
        assertEquals(Map.of(Path.of(KEY), "class Key { void turn() {  right(); } }"),
            with(new Change("Key.turn", "left();", "")));
    }

    @Test
    void shouldMakeOneChangeAfterTheOther() throws IOException {
        assertEquals(
            Map.of(Path.of(KEY), "class Key { void turn() { up(); right(); } }",
                Path.of(CAR), "class Door { void close() { lock(3); } }"),
            with(new Change("Key.turn", "left();", "down();"), new Change("car.Door.close", "2", "3"),
                new Change("Key.turn", "down();", "up();")));
    }

    @Test
    void shouldAskForThePackageOfANameThatIsNotAlone() {
        assertRefused("bug=lost-key does not apply: in Door.close: more than one class of this name",
            new Change("Door.close", "1", "2"));
    }

    @Test
    void shouldNameAClassThatIsMissing() {
        assertRefused("bug=lost-key does not apply: in boat.Key.turn: no class Key",
            new Change("boat.Key.turn", "left();", ""));
    }

    @Test
    void shouldNameTheBugAndThePlaceThatHasChanged() {
        assertRefused("bug=lost-key does not apply: in Key.turn: this does not stand in turn(): down ( )",
            new Change("Key.turn", "down()", ""));
    }

    @Test
    void shouldSayWhatDoesNotCompile(@TempDir final Path folder) {
        final PlantedBug bug = new PlantedBug("lost-key", "A key is lost.", "no way in.", BugKind.CALLS, List.of(),
            List.of(new Change("Key.turn", "left();", "")));
        final String message = assertThrows(
            IllegalArgumentException.class, () -> Planter.plant(bug, SourceTree.of(root), folder)).getMessage();
        assertTrue(message.startsWith("bug=lost-key does not compile: cannot find symbol in line 1 of "), message);
    }

    private void assertRefused(final String problem, final Change change) {
        final String message = assertThrows(IllegalArgumentException.class, () -> with(change)).getMessage();
        assertTrue(message.startsWith(problem), message);
    }
}
