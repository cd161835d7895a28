package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library that others read such logs with reads ours.
 */
class HistogramLogTest {
    @TempDir
    private Path folder;

    @Test
    void shouldBeReadBackWhole() throws Exception {
        final Histogram written = new Histogram(10_000_000_000L, 3);
        written.recordValueWithCount(190, 1000);
        written.recordValue(2_000_000_000L);
        final Path file = folder.resolve("round-trips.hlog");

        HistogramLog.write(file, "a comment, with commas", written, 2e9);

        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            assertEquals(written, reader.nextIntervalHistogram());
            assertNull(reader.nextIntervalHistogram());
        }
    }
}
