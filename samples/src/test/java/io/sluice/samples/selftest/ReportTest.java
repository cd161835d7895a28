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

    @Test
    void shouldNotHaveAnAddressInItsName() {
        assertEquals("sluice-selftest-rocex.txt", Report.fileName("rocex525400fffe123456"));
        assertEquals("sluice-selftest-mlx5_0.txt", Report.fileName("mlx5_0"));
    }
}
