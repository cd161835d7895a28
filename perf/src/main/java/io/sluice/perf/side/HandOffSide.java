package io.sluice.perf.side;

import org.agrona.DirectBuffer;

/**
 * Round trips between two threads, timed by the batch only: two looks at the clock in each of them would be a fifth of
 * the figure.
 */
final class HandOffSide extends ClosedLoopSide {
    private static final double WAYS_PER_ROUND_TRIP = 2;

    HandOffSide(final SideSettings settings) {
        super(settings);
    }

    @Override
    public void run(final SideResult result) {
        final long startNs = System.nanoTime();
        do {
            batch();
        } while (System.nanoTime() - startNs < settings.warmUpNs());
        final long first = sequence;
        final long preemptions = Preemptions.count();
        final int batches = timeBatches();
        result.put(SideResult.PREEMPTIONS, Preemptions.count() - preemptions);
        result.put(SideResult.MESSAGES, sequence - first);
        result.put(SideResult.ONE_WAY_NS, medianNs(batches, result) / WAYS_PER_ROUND_TRIP);
        putEchoes(result);
        sendEnd();
    }

    @Override
    void onEcho(final DirectBuffer buffer, final int offset, final int length) {
        count(buffer, offset, length);
    }
}
