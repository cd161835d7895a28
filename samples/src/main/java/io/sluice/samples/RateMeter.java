package io.sluice.samples;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Turns running totals into rates since it was last asked. One thread.
 */
final class RateMeter {
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long startNs;
    private long lastNs;
    private long lastMessages;
    private long lastBytes;

    RateMeter(final long nowNs) {
        startNs = nowNs;
        lastNs = nowNs;
    }

    /** One line: the time since the start, and what happened per second since the last line. */
    String line(final long nowNs, final long messages, final long bytes) {
        final double seconds = Math.max(1, nowNs - lastNs) / NANOS_PER_SECOND;
        final String line = String.format(Locale.ROOT, "%5.0f s %,13.0f messages/s %,9.1f MB/s",
            (nowNs - startNs) / NANOS_PER_SECOND, (messages - lastMessages) / seconds,
            (bytes - lastBytes) / seconds / BYTES_PER_MEGABYTE);
        lastNs = nowNs;
        lastMessages = messages;
        lastBytes = bytes;
        return line;
    }
}
