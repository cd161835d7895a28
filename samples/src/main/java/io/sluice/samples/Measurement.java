package io.sluice.samples;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A run of ping: connect, warm up, measure, report. Made and started by the main thread; the loops run on a thread of
 * their own.
 */
final class Measurement {
    private static final int WARM_UP_ROUND = 10_000;
    /** The least rate to warm up at, since at a low one that would take long. */
    private static final long MIN_WARM_UP_RATE = 100_000;
    /** The longest round trip in nanoseconds: longer ones count as this long. */
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
    private static final int SIGNIFICANT_DIGITS = 3;
    /**
     * The time in milliseconds that a stop leaves to pong: Ctrl-C reaches it too, which may be gone before we know why.
     */
    private static final long STOP_GRACE_MS = 500;

    private final PingOptions options;
    private final StopSignal stop;
    private final PrintStream out;
    private final PingLink link;
    private final Histogram histogram = new Histogram(LONGEST_NS, SIGNIFICANT_DIGITS);
    private final PongHandler pongs;
    private FixedRate schedule;
    private boolean isMeasuring;
    private long startNs;
    private long endNs;

    Measurement(final PingLink link, final PingOptions options, final StopSignal stop, final PrintStream out) {
        this.link = link;
        this.options = options;
        this.stop = stop;
        this.out = out;
        options.checkMessageLength(link.maxMessageLength());
        pongs = new PongHandler(
            histogram, SystemNanoClock.INSTANCE, options.messageLength(), ThreadLocalRandom.current().nextLong());
    }

    /**
     * Connect, warm up, measure and print the result, also of a run that was stopped.
     *
     * @param core         for the thread, or {@link Cores#NONE}.
     * @param idleStrategy of the thread.
     * @param isPongAlive  false when it is known that no pong will come any more.
     * @throws RunFailure when the run could not be finished, or an answer did not fit its ping.
     */
    void run(final int core, final IdleStrategy idleStrategy, final BooleanSupplier isPongAlive)
        throws InterruptedException {
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(options.messageLength()));
        final Ping ping =
            new Ping(link, pongs, message, idleStrategy, stop, isPongAlive, options.timeoutNs());
        try {
            PinnedThread.run("ping", core, () -> measure(ping));
            report();
        } catch (final RunFailure e) {
            report();
            if (!stop.await(STOP_GRACE_MS)) {
                throw e;
            }
        }
        if (pongs.mismatch() != null) {
            throw new RunFailure(pongs.mismatch());
        }
    }

    private void measure(final Ping ping) {
        if (!ping.connect()) {
            return;
        }
        out.printf(
            Locale.ROOT, "Connected. Warming up: %d rounds of %,d messages%n", options.warmUpRounds(), WARM_UP_ROUND);
        for (int round = 0; round < options.warmUpRounds(); round++) {
            send(ping, WARM_UP_ROUND, Math.max(options.rate(), MIN_WARM_UP_RATE));
        }
        out.printf(Locale.ROOT, "Measuring: %,d messages%s%n", options.messages(), expectedDuration());
        histogram.reset();
        isMeasuring = true;
        startNs = System.nanoTime();
        try {
            send(ping, options.messages(), options.rate());
        } finally {
            endNs = System.nanoTime();
        }
    }

    private void send(final Ping ping, final long messages, final long rate) {
        if (options.rate() == 0) {
            ping.oneByOne(messages);
        } else {
            schedule = new FixedRate(rate);
            ping.atFixedRate(messages, schedule);
        }
    }

    private String expectedDuration() {
        return options.rate() == 0
            ? ""
            : String.format(Locale.ROOT, " in %,.1f s", (double) options.messages() / options.rate());
    }

    private void report() {
        final long count = histogram.getTotalCount();
        if (!isMeasuring) {
            return;
        }
        out.println();
        if (count < options.messages()) {
            out.printf(Locale.ROOT, "Stopped after %,d of %,d messages.%n", count, options.messages());
        }
        if (count == 0) {
            return;
        }
        out.print(RoundTripReport.of(histogram, endNs - startNs, schedule));
        if (pongs.foreign() > 0) {
            out.printf(Locale.ROOT, "Ignored %,d pongs that answer somebody else's pings.%n", pongs.foreign());
        }
        if (options.histogram() != null) {
            RoundTripReport.write(histogram, options.histogram());
            out.println("The whole distribution is in " + options.histogram());
        }
    }
}
