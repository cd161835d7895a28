package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        assertTrue(lines.getLast().startsWith("bar: legacy, bursts of 16 <= 4.0 ns: 9.000 "), lines.getLast());
        assertTrue(lines.getLast().endsWith(" of 1 processes: NOT JUDGED: 3 are needed"), lines.getLast());
        assertEquals(
            List.of("legacy", "empty", "6.0 [4.0 - 8.0]", "2.0 [2.0 - 2.0]", "3.00 [2.00 - 4.00]",
                "0.125 [0.000 - 0.250]"),
            List.of(lines.get(lines.size() - 4).strip().split("\\s\\s+")));
    }

    @Test
    void shouldJudgeFullBatchesAndSingleCompletions() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        DrainReport.results(
            List.of(
                new DrainResult(DrainCase.LEGACY, 16, 4.5, 2, 0), new DrainResult(DrainCase.LEGACY, 16, 4.4, 2, 0),
                new DrainResult(DrainCase.LEGACY, 16, 3, 2, 0), new DrainResult(DrainCase.EXTENDED, 16, 4.5, 2, 0),
                new DrainResult(DrainCase.EXTENDED, 16, 4.5, 2, 0), new DrainResult(DrainCase.EXTENDED, 16, 3, 2, 0),
                new DrainResult(DrainCase.EXTENDED, 1, 4, 2, 0), new DrainResult(DrainCase.EXTENDED, 1, 3, 2, 0),
                new DrainResult(DrainCase.EXTENDED, 1, 5, 2, 0)),
            List.of(), List.of(), new PrintStream(bytes, true, StandardCharsets.UTF_8));

        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines()
            .filter(line -> line.startsWith("bar:"))
            .map(line -> line.replaceFirst(": [0-9].* of", ": of")).toList();
        assertEquals(List.of(
            "bar: legacy, bursts of 16 <= 2.2 × C: of 3 processes: met",
            "bar: legacy, bursts of 16 <= 4.0 ns: of 3 processes: MISSED",
            "bar: extended, bursts of 16 <= 1.4 × C: of 3 processes: MISSED",
            "bar: extended, bursts of 1 <= 2.0 × C: of 3 processes: met"), lines);
    }
}
