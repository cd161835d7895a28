package io.sluice.perf.side;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * Sends a message, spins until its echo is there, and so on: one message is under way at a time. First each round trip
 * is timed by itself, from before the offer to the handler of the echo, for the percentiles; then by batches, for a
 * median without the clock's own price. An offer that is refused is repeated and stays inside.
 */
final class PingSide extends ClosedLoopSide {
    /** The stream of requests; replies have one of their own, {@link #REPLY_STREAM_ID}. */
    static final int REQUEST_STREAM_ID = 1001;
    static final int REPLY_STREAM_ID = 1002;
    /** Messages per poll: there is never more than one, and Aeron's samples ask for this many. */
    static final int MESSAGE_LIMIT = 10;

    private static final int WARM_UP_ROUND_TRIPS = 100_000;
    /** Round trips between looks at the clock, so that its price is not measured. */
    private static final int ROUND_TRIPS_PER_LOOK = 1000;
    /** The time limit of warm-up and of measurement each: a side that is slow shows it in fewer round trips, too. */
    private static final long ROUNDS_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int HISTOGRAM_DIGITS = 3;
    private static final long HISTOGRAM_MAX_NS = TimeUnit.SECONDS.toNanos(10);

    private final int warmUpRoundTrips;
    private final Histogram histogram = new Histogram(HISTOGRAM_MAX_NS, HISTOGRAM_DIGITS);
    private boolean isEachTimed;

    PingSide(final SideSettings settings) {
        this(settings, WARM_UP_ROUND_TRIPS);
    }

    /** Creates a side with a number of round trips of each kind that warm up. */
    PingSide(final SideSettings settings, final int warmUpRoundTrips) {
        super(settings);
        this.warmUpRoundTrips = warmUpRoundTrips;
    }

    @Override
    public void run(final SideResult result) {
        warmUp();
        histogram.reset();
        final long first = sequence;
        final long preemptions = Preemptions.count();
        final long allocated = Allocations.count();
        timeEach();
        final int batches = timeBatches();
        result.put(SideResult.ALLOCATED_BYTES, Allocations.count() - allocated);
        result.put(SideResult.PREEMPTIONS, Preemptions.count() - preemptions);
        result.put(SideResult.MESSAGES, sequence - first);
        result.put(SideResult.BATCH_ROUND_TRIP_NS, medianNs(batches, result));
        result.roundTrips(histogram);
        putEchoes(result);
        sendEnd();
    }

    /** Warms up by both kinds of round trips in turn, so that the compiler knows both when either is measured. */
    private void warmUp() {
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        for (int round = 0; elapsedNs < settings.warmUpNs()
            || round < warmUpRoundTrips / ROUND_TRIPS_PER_BATCH && elapsedNs < ROUNDS_LIMIT_NS; round++) {
            roundTrips(ROUND_TRIPS_PER_BATCH);
            batch();
            elapsedNs = System.nanoTime() - startNs;
        }
    }

    private void timeEach() {
        final long startNs = System.nanoTime();
        int left = settings.roundTrips();
        while (left > 0 && System.nanoTime() - startNs < ROUNDS_LIMIT_NS) {
            roundTrips(Math.min(left, ROUND_TRIPS_PER_LOOK));
            left -= ROUND_TRIPS_PER_LOOK;
        }
    }

    private void roundTrips(final int count) {
        isEachTimed = true;
        for (int i = 0; i < count; i++) {
            encode(++sequence);
            message.putLong(RoundTripMessage.SENT_AT_OFFSET, System.nanoTime());
            send();
            awaitEcho();
            patience.renew();
        }
        isEachTimed = false;
    }

    @Override
    void onEcho(final DirectBuffer buffer, final int offset, final int length) {
        if (isEachTimed) {
            final long roundTripNs = System.nanoTime() - buffer.getLong(offset + RoundTripMessage.SENT_AT_OFFSET);
            histogram.recordValue(Math.min(roundTripNs, HISTOGRAM_MAX_NS));
        }
        count(buffer, offset, length);
    }
}
