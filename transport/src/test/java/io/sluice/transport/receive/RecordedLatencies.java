package io.sluice.transport.receive;

/** Histograms for tests of other rooms, which record nothing themselves. */
public final class RecordedLatencies {
    private RecordedLatencies() {
    }

    /** {@return an empty histogram of a consumer} */
    public static LatencyHistogram newHistogram() {
        return new LatencyHistogram("books");
    }

    /** Counts a message that took so long. */
    public static void record(final LatencyHistogram histogram, final long latencyNs) {
        histogram.record(latencyNs);
    }
}
