package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.drain.DrainCase;
import io.sluice.perf.drain.DrainResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainReportTest {
    @Test
    void shouldGiveTimesRatioAndWhatIsAllocatedOfAllProcesses() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        DrainReport.results(
            List.of(
                new DrainResult(DrainCase.LEGACY, 0, 6, 2, 0), new DrainResult(DrainCase.LEGACY, 0, 4, 2, 0.25),
                new DrainResult(DrainCase.LEGACY, 0, 8, 2, 0.125), new DrainResult(DrainCase.LEGACY, 16, 9, 9, 9)),
            List.of(DrainCase.LEGACY), List.of(0), new PrintStream(bytes, true, StandardCharsets.UTF_8));

        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).strip().lines().toList();
        assertEquals(List.of("ns per completion", "burst", "Java", "C", "ratio", "Java allocates, B"),
            List.of(lines.getFirst().strip().split("\\s\\s+")));
        assertEquals(
            List.of("legacy", "empty", "6.0 [4.0 - 8.0]", "2.0 [2.0 - 2.0]", "3.00 [2.00 - 4.00]",
                "0.125 [0.000 - 0.250]"),
            List.of(lines.getLast().strip().split("\\s\\s+")));
    }
}
