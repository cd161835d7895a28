package io.sluice.perf.side;

import org.HdrHistogram.Histogram;

/**
 * Sends at a fixed rate to another thread of the same process. Whatever lies between is stepped by this thread, while
 * it waits, too: where a ring was full, there is more to do than to send. Beside the round trips it measures from the
 * moment at which a message was due until the stream has taken it: what a full stream does to the one who offers.
 */
final class PacedHandOffSide extends FixedRateSide {
    private final Histogram offers = newHistogram();

    PacedHandOffSide(final SideSettings settings) {
        super(settings);
    }

    /** A side with a number of round trips that warm up, one at a time, before the rate begins. */
    PacedHandOffSide(final SideSettings settings, final int warmUpRoundTrips) {
        super(settings, warmUpRoundTrips);
    }

    @Override
    public void run(final SideResult result) {
        super.run(result);
        result.offers(offers);
    }

    @Override
    void beginMeasurement() {
        super.beginMeasurement();
        offers.reset();
    }

    @Override
    void onTaken(final long dueNs) {
        record(offers, System.nanoTime() - dueNs);
    }

    @Override
    void poll() {
        sender.flush();
        super.poll();
    }
}
