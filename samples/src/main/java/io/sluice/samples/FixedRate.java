package io.sluice.samples;

import java.util.concurrent.TimeUnit;

/**
 * A schedule of messages at equal distances, fixed when it starts: a message that leaves late does not move the later
 * ones, and its latency counts from when it was due. So a stall is charged to every message it held up, and the figures
 * are free of coordinated omission. One thread.
 */
final class FixedRate {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long rate;
    private final long intervalNs;
    private long startNs;
    private long dueNs;
    private long sent;
    private long late;
    private long worstLatenessNs;

    /**
     * A schedule that has not started.
     *
     * @param rate messages per second, 1 or more.
     */
    FixedRate(final long rate) {
        this.rate = rate;
        intervalNs = NANOS_PER_SECOND / rate;
    }

    /** Begin: the first message is due now. */
    void start(final long nowNs) {
        startNs = nowNs;
        dueNs = nowNs;
        sent = 0;
        late = 0;
        worstLatenessNs = 0;
    }

    /** The time when the next message is due; its timestamp, however late it leaves. */
    long dueNs() {
        return dueNs;
    }

    boolean isDue(final long nowNs) {
        return nowNs - dueNs >= 0;
    }

    /** Notes that the next message left, and goes on to the one after it. */
    void onSent(final long nowNs) {
        final long latenessNs = nowNs - dueNs;
        worstLatenessNs = Math.max(worstLatenessNs, latenessNs);
        if (latenessNs > intervalNs) {
            late++;
        }
        sent++;
        // from the start each time, so that rounding does not add up
        dueNs = startNs + afterNs(sent, rate);
    }

    /** The time from the start to a message: whole seconds by themselves, so that nothing overflows for centuries. */
    static long afterNs(final long messages, final long rate) {
        return messages / rate * NANOS_PER_SECOND + messages % rate * NANOS_PER_SECOND / rate;
    }

    long sent() {
        return sent;
    }

    /** Messages that left more than one interval after they were due. */
    long late() {
        return late;
    }

    long worstLatenessNs() {
        return worstLatenessNs;
    }
}
