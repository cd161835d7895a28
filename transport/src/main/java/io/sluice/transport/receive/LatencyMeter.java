package io.sluice.transport.receive;

import java.util.function.LongSupplier;

/**
 * Measures how long messages took until one consumer had handled them. Reading the clock takes longer than many a
 * handler: where several messages in a row take less than {@link #QUICK_NS} each, up to {@link #MAX_WAITING} of them
 * share one reading: what is told of the first is too long by what those behind it take. The consumer's thread.
 */
final class LatencyMeter {
    /** The most messages that share a reading of the clock: a reading of 30 ns is 4 ns of each. */
    static final int MAX_WAITING = 8;
    /** The time for a message in nanoseconds from which a reading of the clock of its own no longer counts. */
    static final long QUICK_NS = 100;

    private final LongSupplier nanoClock;
    private final LatencyHistogram histogram;
    private final long[] waiting = new long[MAX_WAITING];
    private int count;
    private int limit = 1;
    private long lastNs;

    LatencyMeter(final LongSupplier nanoClock, final LatencyHistogram histogram) {
        this.nanoClock = nanoClock;
        this.histogram = histogram;
        lastNs = nanoClock.getAsLong();
    }

    /**
     * Notes that a message was handled just now.
     *
     * @param offeredNs when it was offered, or {@link EventSlot#NOT_STAMPED}.
     */
    void onHandled(final long offeredNs) {
        if (offeredNs != EventSlot.NOT_STAMPED) {
            waiting[count++] = offeredNs;
            if (count >= limit) {
                look();
            }
        }
    }

    /** Counts what waits for a reading of the clock: no more messages come now. */
    void endBatch() {
        if (count > 0) {
            look();
        }
        // nobody knows yet how long messages of the next one take
        limit = 1;
    }

    private void look() {
        final long nowNs = nanoClock.getAsLong();
        limit = nowNs - lastNs < count * QUICK_NS ? MAX_WAITING : 1;
        lastNs = nowNs;
        for (int i = 0; i < count; i++) {
            histogram.record(nowNs - waiting[i]);
        }
        count = 0;
    }
}
