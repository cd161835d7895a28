package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.perf.embed.EmbedCase;
import io.sluice.perf.embed.EmbedResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmbedReportTest {
    private static final EmbedCase OURS = EmbedCase.SLUICE_INVOKER;
    private static final EmbedCase THEIRS = EmbedCase.AERON_INVOKER;

    private static List<String> report(final List<EmbedResult> results) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        EmbedReport.results(
            results, List.of(OURS, THEIRS), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).strip().lines().toList();
    }

    @Test
    void shouldGiveEachFigureOfAllProcesses() {
        final List<String> lines = report(List.of(
            new EmbedResult(OURS, 1, 2, 3, 400, 5), new EmbedResult(OURS, 3, 4, 5, 200, 7),
            new EmbedResult(OURS, 2, 3, 4, 300, 6)));

        assertEquals(List.of("sluice-invoker", "2.00 [1.00 - 3.00]", "3.00 [2.00 - 4.00]", "4.00 [3.00 - 5.00]",
            "300.00 [200.00 - 400.00]", "6.00 [5.00 - 7.00]"), List.of(lines.get(2).strip().split("\\s\\s+")));
    }

    @Test
    void shouldJudgeLinksByThoseOfAeronInTheSameRun() {
        final List<String> bars = report(List.of(
            new EmbedResult(OURS, 1, 20, 3, 400, 0.5), new EmbedResult(OURS, 1, 20, 3, 400, 0.5),
            new EmbedResult(OURS, 1, 20, 3, 400, 0.5), new EmbedResult(THEIRS, 1, 10, 6, 600, 9)))
            .stream().filter(line -> line.startsWith("bar:")).toList();

        assertEquals(List.of(
            "bar: sluice-invoker, idle turn of the loop, ns <= 500.00: 400.00 of 3 processes: met",
            "bar: sluice-invoker, idle process, % <= 1.00: 0.50 of 3 processes: met",
            "bar: sluice-invoker, first link, ms (aeron-invoker) <= 10.00: 20.00 of 3 processes: MISSED",
            "bar: sluice-invoker, next link, ms (aeron-invoker) <= 6.00: 3.00 of 3 processes: met"), bars);
    }
}
