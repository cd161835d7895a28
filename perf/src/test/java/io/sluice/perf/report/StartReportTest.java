package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.start.StartCase;
import io.sluice.perf.start.StartResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartReportTest {
    @Test
    void shouldGiveEachFigureAndJudgeTheCacheByWhatTheStartTakesWithoutIt() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StartReport.results(List.of(
            new StartResult(StartCase.PLAIN, 500, 2000, 150, 900),
            new StartResult(StartCase.CACHED, 200, 700, 140, 390),
            new StartResult(StartCase.CACHED, 210, 800, 145, 380),
            new StartResult(StartCase.CACHED, 190, 500, 135, 410)),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).strip().lines().toList();

        assertEquals(List.of("aot-cache", "200.0 [190.0 - 210.0]", "700.0 [500.0 - 800.0]", "140.0 [135.0 - 145.0]",
            "390.0 [380.0 - 410.0]"), List.of(lines.get(3).strip().split("\\s\\s+")));
        assertEquals(List.of(
            "bar: aot-cache, steady after, ms (0.3 of plain) <= 600.0: 700.0 of 3 processes: MISSED",
            "bar: aot-cache, compilers in the first 4 s, ms <= 400.0: 390.0 of 3 processes: met"),
            lines.subList(lines.size() - 2, lines.size()));
    }
}
