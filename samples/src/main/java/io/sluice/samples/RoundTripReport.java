package io.sluice.samples;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Round trips as text: a table for people, a distribution for plots. Stateless.
 */
final class RoundTripReport {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final double NANOS_PER_MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int TICKS_PER_HALF_DISTANCE = 5;

    private RoundTripReport() {
    }

    /**
     * The table.
     *
     * @param histogram  of round trips in nanoseconds, not empty.
     * @param durationNs that they took together, in nanoseconds.
     * @param schedule   that they were sent on, or null when they were sent one by one.
     * @return lines, each ended.
     */
    static String of(final Histogram histogram, final long durationNs, final FixedRate schedule) {
        final StringBuilder text = new StringBuilder("Round trip time in microseconds\n");
        for (final double percentile : PERCENTILES) {
            row(text, "p" + trimmed(percentile), histogram.getValueAtPercentile(percentile));
        }
        row(text, "max", histogram.getMaxValue());
        final long count = histogram.getTotalCount();
        text.append(String.format(Locale.ROOT, "  %-7s %,12d messages%n", "count", count));
        final double perSecond = count * NANOS_PER_SECOND / durationNs;
        text.append(String.format(Locale.ROOT, "  %-7s %,12.0f messages/s%n", "rate", perSecond));
        if (schedule != null) {
            text.append(lateness(schedule));
        }
        return text.toString();
    }

    private static void row(final StringBuilder text, final String name, final long valueNs) {
        text.append(String.format(Locale.ROOT, "  %-7s %,12.3f%n", name, valueNs / NANOS_PER_MICROSECOND));
    }

    private static String trimmed(final double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : Double.toString(percentile);
    }

    private static String lateness(final FixedRate schedule) {
        final double worst = schedule.worstLatenessNs() / NANOS_PER_MICROSECOND;
        if (schedule.late() == 0) {
            return String.format(Locale.ROOT,
                "The sender kept its schedule: no message left more than %,.3f microseconds late.%n", worst);
        }
        return String.format(Locale.ROOT,
            "The sender fell behind its schedule by up to %,.3f microseconds: %,d of %,d messages left%n"
            + "more than an interval late. The times above include that.%n", worst, schedule.late(), schedule.sent());
    }

    /** Writes the percentile distribution that HdrHistogram's plotter reads, in microseconds. */
    static void write(final Histogram histogram, final Path file) {
        try (PrintStream stream = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
            histogram.outputPercentileDistribution(stream, TICKS_PER_HALF_DISTANCE, NANOS_PER_MICROSECOND);
            if (stream.checkError()) {
                throw new RunFailure("cannot write " + file + "; is the disk full?");
            }
        } catch (final IOException e) {
            throw new RunFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
