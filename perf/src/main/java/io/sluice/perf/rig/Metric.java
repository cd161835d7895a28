package io.sluice.perf.rig;

/**
 * A figure of a measurement.
 */
public enum Metric {
    /** Median round trip. */
    RTT_P50("RTT p50", "µs", 50),
    /** Round trip without a look at the clock in it: the median over batches of 200 of their mean. */
    RTT_BATCH("RTT by 200", "µs", 0),
    /** 99th percentile of the round trip. */
    RTT_P99("RTT p99", "µs", 99),
    /** 99.9th percentile of the round trip. */
    RTT_P999("RTT p99.9", "µs", 99.9),
    /** 99.99th percentile of the round trip. */
    RTT_P9999("RTT p99.99", "µs", 99.99),
    /** 99.999th percentile of the round trip. */
    RTT_P99999("RTT p99.999", "µs", 99.999),
    /** The longest of all round trips of a run. */
    RTT_MAX("RTT longest", "µs", 100),
    /** 99th percentile of the time from when a message was due until the stream took it. */
    OFFER_P99("offer p99", "µs", 99),
    /** 99.9th percentile of the time from when a message was due until the stream took it. */
    OFFER_P999("offer p99.9", "µs", 99.9),
    /** Half of a round trip between two threads, the median of batches. */
    ONE_WAY("one way", "ns", 0),
    /** Messages received per second. */
    MESSAGE_RATE("throughput", "M msg/s", 0),
    /** Bytes that the two measured threads allocate for each message. */
    ALLOCATED("allocated", "B/msg", 0);

    private final String label;
    private final String unit;
    private final double percentile;

    Metric(final String label, final String unit, final double percentile) {
        this.label = label;
        this.unit = unit;
        this.percentile = percentile;
    }

    /**
     * The name in tables.
     *
     * @return for example {@code "RTT p50"}.
     */
    public String label() {
        return label;
    }

    /**
     * The unit of the values.
     *
     * @return for example {@code "µs"}.
     */
    public String unit() {
        return unit;
    }

    /**
     * The percentile of the round trips or offers that the metric is.
     *
     * @return 0 to 100, meaningless for others.
     */
    public double percentile() {
        return percentile;
    }
}
