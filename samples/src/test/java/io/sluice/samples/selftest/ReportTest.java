package io.sluice.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    private Path folder;

    @Test
    void shouldHaveEachLineInTheFileBeforeTheNextIsKnown() throws Exception {
        final Path path = folder.resolve("report.txt");
        Files.writeString(path, "a longer report of another run\nof two lines\n");
        final List<String> screen = new ArrayList<>();
        try (Report report = Report.to(path, screen::add)) {
            report.line("first");
            assertEquals(List.of("first"), Files.readAllLines(path));
            report.line("second of 10.0.0.1,\nand its other line");
            assertEquals(List.of("first", "second of [address], and its other line"), Files.readAllLines(path));
        }
        assertEquals(Files.readAllLines(path), screen);
    }

    /** So that what hangs is the last line, and the report is half as long where nothing does. */
    @Test
    void shouldNameInTheFileWhatIsTriedUntilItsEndIsKnown() throws Exception {
        final Path path = folder.resolve("report.txt");
        final List<String> screen = new ArrayList<>();
        try (Report report = Report.to(path, screen::add)) {
            report.line("first");
            report.trying("something with a long name");
            assertEquals(List.of("first", "  trying    something with a long name"), Files.readAllLines(path));
            report.line("ok");
            assertEquals(List.of("first", "ok"), Files.readAllLines(path));
            report.trying("one");
            report.trying("another");
            assertEquals(List.of("first", "ok", "  trying    another"), Files.readAllLines(path));
            report.line("well");
            report.line("last");
        }
        assertEquals(List.of("first", "ok", "well", "last"), Files.readAllLines(path));
        assertEquals(List.of("first", "  trying    something with a long name", "ok", "  trying    one",
            "  trying    another", "well", "last"), screen);
    }

    @Test
    void shouldNotTakeAVersionOfFourNumbersForAnAddress() {
        final List<String> screen = new ArrayList<>();
        Report.to(screen::add).line(Report.version("firmware=229.0.154.0, driver=5.8-1.1.2, x=1.2.3"));
        assertEquals(List.of("firmware=229.0.154_0, driver=5.8-1.1.2, x=1.2.3"), screen);
    }

    @Test
    void shouldNotHaveAnAddressInItsName() {
        assertEquals("sluice-selftest-rocex.txt", Report.fileName("rocex525400fffe123456"));
        assertEquals("sluice-selftest-mlx5_0.txt", Report.fileName("mlx5_0"));
    }
}
