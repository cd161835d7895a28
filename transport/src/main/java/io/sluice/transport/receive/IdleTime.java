package io.sluice.transport.receive;

import org.agrona.concurrent.NanoClock;

/** Tells for how long a receiver has found nothing to do. Polling thread. */
final class IdleTime {
    /** Polls without work between two looks at the clock, which costs as much as a poll. */
    private static final int POLLS_PER_LOOK = 256;

    /**
     * The time in nanoseconds for which there must have been no work for the polling thread to count as idle and to
     * report what is left: longer than the round trip of a ping-pong, for which it would otherwise be one write more
     * for each message. The publication never waits for that report, so it may be late.
     */
    private static final long REPORT_DELAY_NS = 1_000_000L;

    /**
     * Empty polls in a row after which the polling thread waits for a message rather than for the rest of a burst:
     * looking all the time would take the cache lines from a publisher that is filling them.
     */
    private static final int WAITING_POLLS = 2;

    private final NanoClock clock;
    private int polls;
    private long sinceNs;

    IdleTime(final NanoClock clock) {
        this.clock = clock;
    }

    /** {@return whether the last polls had no work} */
    boolean isWaiting() {
        return polls >= WAITING_POLLS;
    }

    /** Ends the idle time, as a poll had work. */
    void end() {
        polls = 0;
    }

    /** {@return whether to report what is left, after so many more polls without work} */
    boolean isReportDue(final int pollCount) {
        final int pollsBefore = polls;
        polls += pollCount;
        if (pollsBefore < POLLS_PER_LOOK && polls >= POLLS_PER_LOOK) {
            sinceNs = clock.nanoTime();
        } else if (polls >= 2 * POLLS_PER_LOOK) {
            polls = POLLS_PER_LOOK;
            return clock.nanoTime() - sinceNs >= REPORT_DELAY_NS;
        }
        return false;
    }
}
