package io.sluice.samples;

import java.util.HashMap;
import java.util.Map;

/**
 * The rates at which positions grow, by when they were brought up to date and not by when they were looked at: a
 * conductor does it ten times a second, or late. One thread.
 */
final class GrowthRates {
    private static final double MS_PER_SECOND = 1000;

    private record Seen(long position, long refreshedEpochMs, long rate) {
    }

    private Map<String, Seen> before = new HashMap<>();
    private Map<String, Seen> now = new HashMap<>();

    /** Begins a look: who is not asked for in it is forgotten with the next. */
    void begin() {
        before = now;
        now = new HashMap<>();
    }

    /**
     * The growth in a second, once in a look for each id.
     *
     * @return bytes; {@link Backlog#NOT_KNOWN} at the first look, while the position is not known, and when the clock
     *         was set back. That of the look before while nothing was brought up to date.
     */
    long of(final String id, final long position, final long refreshedEpochMs) {
        if (position == Backlog.NOT_KNOWN) {
            return Backlog.NOT_KNOWN;
        }
        final Seen seen = before.get(id);
        long rate = Backlog.NOT_KNOWN;
        if (seen != null && refreshedEpochMs == seen.refreshedEpochMs()) {
            now.put(id, seen);
            return seen.rate();
        }
        if (seen != null && refreshedEpochMs > seen.refreshedEpochMs()) {
            rate = Math.round(Math.max(0, position - seen.position()) * MS_PER_SECOND
                / (refreshedEpochMs - seen.refreshedEpochMs()));
        }
        now.put(id, new Seen(position, refreshedEpochMs, rate));
        return rate;
    }
}
