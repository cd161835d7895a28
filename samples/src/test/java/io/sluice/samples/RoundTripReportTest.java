package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundTripReportTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final Histogram histogram = new Histogram(10 * SECOND_NS, 5);

    @BeforeEach
    void record() {
        for (int i = 1; i <= 9_999; i++) {
            histogram.recordValue(i);
        }
        histogram.recordValue(1_234_560);
    }

    @Test
    void shouldPrintPercentilesInMicroseconds() {
        assertEquals("""
            Round trip time in microseconds
              p50            5.000
              p90            9.000
              p99            9.900
              p99.9          9.990
              p99.99         9.999
              max        1,234.567
              count         10,000 messages
              rate           5,000 messages/s
            """, RoundTripReport.of(histogram, 2 * SECOND_NS, null));
    }

    @Test
    void shouldSayThatTheSenderKeptItsSchedule() {
        final FixedRate schedule = new FixedRate(1000);
        schedule.start(0);
        schedule.onSent(1_500);
        assertEquals("The sender kept its schedule: no message left more than 1.500 microseconds late.",
            lastLine(RoundTripReport.of(histogram, SECOND_NS, schedule)));
    }

    @Test
    void shouldSayHowFarTheSenderFellBehind() {
        final FixedRate schedule = new FixedRate(1000);
        schedule.start(0);
        schedule.onSent(5_000_000);
        schedule.onSent(5_000_000);
        schedule.onSent(5_000_000);
        schedule.onSent(5_000_000);
        schedule.onSent(5_000_000);
        final String text = RoundTripReport.of(histogram, SECOND_NS, schedule);
        assertTrue(text.contains(
            "\nThe sender fell behind its schedule by up to 5,000.000 microseconds: 4 of 5 messages left\n"), text);
        assertEquals("more than an interval late. The times above include that.", lastLine(text));
    }

    @Test
    void shouldWriteTheDistributionInMicroseconds(@TempDir final Path folder) throws IOException {
        final Path file = folder.resolve("out.hgrm");
        RoundTripReport.write(histogram, file);
        final String text = Files.readString(file);
        assertTrue(text.contains("1234.5"), text);
        assertTrue(text.contains("Total count    =        10000"), text);
    }

    @Test
    void shouldSayWhichFileCannotBeWritten(@TempDir final Path folder) {
        final RunFailure failure = assertThrows(RunFailure.class, () -> RoundTripReport.write(histogram, folder));
        assertTrue(failure.getMessage().startsWith("cannot write " + folder), failure::getMessage);
    }

    private static String lastLine(final String text) {
        return text.lines().reduce((last, line) -> line).orElseThrow();
    }
}
