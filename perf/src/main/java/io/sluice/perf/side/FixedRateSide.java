package io.sluice.perf.side;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * Sends at a fixed rate and takes the echoes as they come. A round trip counts from the moment at which its message was
 * due, not from the one at which it could be sent: who stalls for a while has delayed all messages of that while.
 */
class FixedRateSide extends EchoedSide {
    private static final int WARM_UP_ROUND_TRIPS = 100_000;
    private static final long WARM_UP_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int HISTOGRAM_DIGITS = 3;
    private static final long HISTOGRAM_MAX_NS = TimeUnit.SECONDS.toNanos(10);
    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The share of the rate below which it was missed. A stall near the end of a second takes some milliseconds. */
    private static final double MIN_SHARE_OF_RATE = 0.98;

    private final int warmUpRoundTrips;
    private final double intervalNs;
    private final Histogram histogram = newHistogram();

    FixedRateSide(final SideSettings settings) {
        this(settings, WARM_UP_ROUND_TRIPS);
    }

    /** Creates a side with a number of round trips that warm up, one at a time, before the rate begins. */
    FixedRateSide(final SideSettings settings, final int warmUpRoundTrips) {
        super(settings, "an echo, or room for a message");
        this.warmUpRoundTrips = warmUpRoundTrips;
        intervalNs = NS_PER_SECOND / settings.ratePerSecond();
    }

    /** {@return an empty one for what {@link #record} puts into it} */
    static Histogram newHistogram() {
        return new Histogram(HISTOGRAM_MAX_NS, HISTOGRAM_DIGITS);
    }

    /** Records a time that may be longer than is told apart. */
    static void record(final Histogram histogram, final long durationNs) {
        histogram.recordValue(Math.min(durationNs, HISTOGRAM_MAX_NS));
    }

    @Override
    public void run(final SideResult result) {
        warmUp();
        sendAtRate(messages(settings.warmUpNs()));
        beginMeasurement();
        final long messages = messages(settings.durationNs());
        final long preemptions = Preemptions.count();
        final long sendingNs = sendAtRate(messages);
        result.put(SideResult.PREEMPTIONS, Preemptions.count() - preemptions);
        result.roundTrips(histogram);
        result.put(SideResult.MESSAGES, messages);
        putEchoes(result);
        // the first message is due at once
        final double rate = (messages - 1) * NS_PER_SECOND / sendingNs;
        if (messages > 1 && rate < MIN_SHARE_OF_RATE * settings.ratePerSecond()) {
            result.missRate(String.format(Locale.ROOT,
                "missed its rate: asked for %d messages/s, sent %.0f", settings.ratePerSecond(), rate));
        }
        RoundTripMessage.encode(message, settings.messageLength(), RoundTripMessage.END_SEQUENCE);
        offer();
        sender.flush();
    }

    /** Starts the measurement: what was until now does not count. */
    void beginMeasurement() {
        histogram.reset();
    }

    private long messages(final long durationNs) {
        return Math.max(1, (long) (durationNs / intervalNs));
    }

    /** Warms up by one message at a time, so that code which a low rate calls rarely is compiled, too. */
    private void warmUp() {
        final long startNs = System.nanoTime();
        for (int i = 0; i < warmUpRoundTrips && System.nanoTime() - startNs < WARM_UP_LIMIT_NS; i++) {
            send(System.nanoTime());
            awaitEchoes();
        }
    }

    /** {@return the time that the sending of all took} */
    private long sendAtRate(final long messages) {
        final long startNs = System.nanoTime();
        for (long i = 0; i < messages; i++) {
            final long dueNs = startNs + (long) (i * intervalNs);
            while (System.nanoTime() - dueNs < 0) {
                poll();
            }
            send(dueNs);
            // also when the next one is overdue already
            poll();
        }
        final long sendingNs = System.nanoTime() - startNs;
        awaitEchoes();
        return sendingNs;
    }

    private void send(final long dueNs) {
        RoundTripMessage.encode(message, settings.messageLength(), ++sequence);
        message.putLong(RoundTripMessage.SENT_AT_OFFSET, dueNs);
        offer();
        onTaken(dueNs);
        sender.flush();
        patience.renew();
    }

    /** Notes that the stream has taken a message that was due then. */
    void onTaken(final long dueNs) {
        // only its echo counts
    }

    private void offer() {
        while (!sender.offer(message, 0, settings.messageLength())) {
            sender.flush();
            poll();
        }
    }

    /** Takes echoes; called again and again while the side waits. */
    void poll() {
        if (receiver.poll() == 0) {
            patience.spin();
        } else {
            patience.renew();
        }
    }

    private void awaitEchoes() {
        while (echoes < sequence) {
            sender.flush();
            poll();
        }
    }

    @Override
    void onEcho(final DirectBuffer buffer, final int offset, final int length) {
        final long roundTripNs = System.nanoTime() - buffer.getLong(offset + RoundTripMessage.SENT_AT_OFFSET);
        count(buffer, offset, length);
        record(histogram, roundTripNs);
    }
}
