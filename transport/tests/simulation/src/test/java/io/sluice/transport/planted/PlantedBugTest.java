package io.sluice.transport.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlantedBugTest {
    private static final String HEADER = "A door is open.\nTo a user: thieves\ncome in.\nKind: calls\n";
    private static final String CHANGE = "\nin House.close\n- lock();\n";

    @Test
    void shouldReadWhatAFileTells() {
        final PlantedBug bug = PlantedBug.parse("open-door", HEADER
            + "Found-by: test io.sluice.HouseTest#shouldLock  io.sluice.DoorTest\n" + CHANGE
            + "\nin House\n- int doors = 1;\n-\n- int windows = 2;\n+ int doors = 2;\n+   int windows = 1;\n");
        assertEquals(new PlantedBug("open-door", "A door is open.\n", "thieves\ncome in.\n", BugKind.CALLS,
            List.of("io.sluice.HouseTest#shouldLock", "io.sluice.DoorTest"),
            List.of(new Change("House.close", "lock();", ""),
                new Change("House", "int doors = 1;\n\nint windows = 2;", "int doors = 2;\n  int windows = 1;"))), bug);
    }

    @ParameterizedTest
    @CsvSource({
        "'A door is open.', 'says not what is wrong'",
        "'To a user: thieves\ncome in.', 'no line \"To a user: …\"'",
        "'Kind: calls', 'no line \"Kind: …\"'",
    })
    void shouldRefuseAHeaderThatIsNotComplete(final String missing, final String problem) {
        assertRefused(HEADER.replace(missing, "") + CHANGE, problem);
    }

    @Test
    void shouldRefuseAKindThatIsNotKnown() {
        assertRefused(HEADER.replace("calls", "doors") + CHANGE, "kind=doors known=data path, resumption");
    }

    @Test
    void shouldRefuseABugWithoutAChange() {
        assertRefused(HEADER, "has no change");
    }

    @Test
    void shouldRefuseAChangeThatChangesNothing() {
        assertRefused(HEADER + "\nin House.close\n- lock(1);\n+ lock( 1 ); // twice\n", "changes nothing");
    }

    @Test
    void shouldRefuseAChangeOfNothing() {
        assertRefused(HEADER + "\nin House.close\n+ lock();\n", "without anything that is there: in House.close");
    }

    @Test
    void shouldRefuseALineWithoutASide() {
        assertRefused(
            HEADER + "\nin House.close\nlock();\n", "begins neither with - nor with +: in House.close: lock();");
    }

    private static void assertRefused(final String text, final String problem) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> PlantedBug.parse("open-door", text)).getMessage();
        assertTrue(message.contains(problem), message);
    }

    @Test
    void shouldNameTheFileThatCannotBeRead(@TempDir final Path folder) throws IOException {
        final Path file = Files.writeString(folder.resolve("open-door.bug"), HEADER);
        final String message =
            assertThrows(IllegalArgumentException.class, () -> PlantedBug.readAll(folder)).getMessage();
        assertTrue(message.startsWith(file.toString()), message);
    }

    @Test
    void shouldRefuseAFileThatNobodyWouldRun(@TempDir final Path folder) throws IOException {
        Files.writeString(folder.resolve("open-door.patch"), HEADER + CHANGE);
        final String message =
            assertThrows(IllegalArgumentException.class, () -> PlantedBug.readAll(folder)).getMessage();
        assertTrue(message.contains("open-door.patch"), message);
    }
}
