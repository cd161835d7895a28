package io.sluice.perf.rig;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Round trips as a log of one interval, in nanoseconds, for the tools that read HdrHistogram's logs.
 */
final class HistogramLog {
    private static final double NS_PER_SECOND = 1e9;
    /** The nanoseconds of a millisecond, in which the column of the longest is, as such tools expect. */
    private static final double NS_PER_MS = 1e6;

    private HistogramLog() {
    }

    /** Writes it with a comment, and with how long the messages were sent. */
    static void write(final Path file, final String comment, final Histogram roundTrips, final double durationNs)
        throws IOException {
        try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            final HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputComment(comment);
            writer.outputLogFormatVersion();
            writer.outputLegend();
            writer.outputIntervalHistogram(0, durationNs / NS_PER_SECOND, roundTrips, NS_PER_MS);
            if (out.checkError()) {
                throw new IOException("cannot write a histogram log: file=" + file);
            }
        }
    }
}
