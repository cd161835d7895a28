package io.sluice.perf.side;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * Sends a message, spins until its echo is there, and so on: one message is under way at a time. The time of each round
 * trip is taken before the offer and in the handler of the echo; an offer that is refused is repeated and stays inside.
 */
final class PingSide extends EchoedSide {
    /** Request and reply have a stream each. */
    static final int REQUEST_STREAM_ID = 1001;
    static final int REPLY_STREAM_ID = 1002;
    /** Messages per poll: there is never more than one, and Aeron's samples ask for this many. */
    static final int MESSAGE_LIMIT = 10;

    private static final int WARM_UP_ROUND_TRIPS = 100_000;
    /** Round trips between looks at the clock, so that its price is not measured. */
    private static final int ROUND_TRIPS_PER_LOOK = 1000;
    /** Of warm-up and of measurement each: who is slow shows it in fewer round trips, too. */
    private static final long ROUNDS_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int HISTOGRAM_DIGITS = 3;
    private static final long HISTOGRAM_MAX_NS = TimeUnit.SECONDS.toNanos(10);

    private final int warmUpRoundTrips;
    private final Histogram histogram = new Histogram(HISTOGRAM_MAX_NS, HISTOGRAM_DIGITS);

    PingSide(final SideSettings settings) {
        this(settings, WARM_UP_ROUND_TRIPS);
    }

    /** With a number of round trips that warm up. */
    PingSide(final SideSettings settings, final int warmUpRoundTrips) {
        super(settings, "an echo");
        this.warmUpRoundTrips = warmUpRoundTrips;
    }

    @Override
    public void run(final SideResult result) {
        warmUp();
        histogram.reset();
        final long preemptions = Preemptions.count();
        final long allocated = Allocations.count();
        measure();
        result.put(SideResult.ALLOCATED_BYTES, Allocations.count() - allocated);
        result.put(SideResult.PREEMPTIONS, Preemptions.count() - preemptions);
        result.roundTrips(histogram);
        result.put(SideResult.MESSAGES, histogram.getTotalCount());
        putEchoes(result);
        RoundTripMessage.encode(message, settings.messageLength(), RoundTripMessage.END_SEQUENCE);
        send();
    }

    private void warmUp() {
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        for (int round = 0; elapsedNs < settings.warmUpNs()
            || round < warmUpRoundTrips / ROUND_TRIPS_PER_LOOK && elapsedNs < ROUNDS_LIMIT_NS; round++) {
            roundTrips(ROUND_TRIPS_PER_LOOK);
            elapsedNs = System.nanoTime() - startNs;
        }
    }

    private void measure() {
        final long startNs = System.nanoTime();
        int left = settings.roundTrips();
        while (left > 0 && System.nanoTime() - startNs < ROUNDS_LIMIT_NS) {
            roundTrips(Math.min(left, ROUND_TRIPS_PER_LOOK));
            left -= ROUND_TRIPS_PER_LOOK;
        }
    }

    private void roundTrips(final int count) {
        for (int i = 0; i < count; i++) {
            RoundTripMessage.encode(message, settings.messageLength(), ++sequence);
            message.putLong(RoundTripMessage.SENT_AT_OFFSET, System.nanoTime());
            send();
            awaitEcho();
            patience.renew();
        }
    }

    /** A poll may have handled a part of a long echo only: what counts is what the handler was told of. */
    private void awaitEcho() {
        while (echoes < sequence) {
            if (receiver.poll() == 0) {
                patience.spin();
            }
        }
    }

    private void send() {
        while (!sender.offer(message, 0, settings.messageLength())) {
            sender.flush();
            patience.spin();
        }
        sender.flush();
    }

    @Override
    void onEcho(final DirectBuffer buffer, final int offset, final int length) {
        final long roundTripNs = System.nanoTime() - buffer.getLong(offset + RoundTripMessage.SENT_AT_OFFSET);
        echoes++;
        if (length != settings.messageLength() || !RoundTripMessage.isWhole(buffer, offset, length, sequence)) {
            wrongEchoes++;
        }
        histogram.recordValue(Math.min(roundTripNs, HISTOGRAM_MAX_NS));
    }
}
