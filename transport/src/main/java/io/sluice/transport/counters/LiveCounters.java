package io.sluice.transport.counters;

import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportCounters;
import io.sluice.verbs.WorkStatus;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of one transport as they are counted. Any thread may read or increment; an increment is one atomic add,
 * and none is on the path of a message.
 */
public final class LiveCounters implements TransportCounters {
    private final AtomicLongArray values = new AtomicLongArray(TransportCounter.values().length);

    /**
     * Counters that are all zero.
     */
    public LiveCounters() {
    }

    /**
     * Count one more.
     *
     * @param counter to increment.
     */
    public void increment(final TransportCounter counter) {
        values.incrementAndGet(counter.ordinal());
    }

    /**
     * Count some more.
     *
     * @param counter to add to.
     * @param count   how many, not negative.
     */
    public void add(final TransportCounter counter, final long count) {
        values.addAndGet(counter.ordinal(), count);
    }

    /**
     * Count a completion that was dropped since its epoch is over, unless it was flushed. A queue pair that ends, in
     * order or not, flushes whatever is posted: hundreds of receives, of which the first one at most is news.
     *
     * @param status of the completion.
     */
    public void countStale(final int status) {
        if (status != WorkStatus.WR_FLUSH_ERR) {
            increment(TransportCounter.STALE_COMPLETIONS);
        }
    }

    @Override
    public long get(final TransportCounter counter) {
        return values.get(counter.ordinal());
    }

    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder();
        for (final TransportCounter counter : TransportCounter.values()) {
            if (get(counter) > 0) {
                text.append(text.isEmpty() ? "" : " ").append(counter.label()).append('=').append(get(counter));
            }
        }
        return text.toString();
    }
}
