package io.sluice.transport.agent;

import io.sluice.environment.Environment;
import org.agrona.concurrent.IdleStrategy;

/**
 * Spins for some tens of microseconds and then leaves the core for longer and longer: a poller that keeps up with a
 * busy stream at once, and does not take a core from the application of a machine that has few. One thread.
 */
public final class BackoffIdleStrategy implements IdleStrategy {
    /** About 50 microseconds: longer than the pauses within a burst. */
    private static final int SPINS = 2_000;
    private static final long PARK_MIN_NS = 1_000L;
    private static final long PARK_MAX_NS = 1_000_000L;
    /** The longest parks in a row, a second, after which a stream counts as one that rests. */
    private static final int PARKS_BEFORE_REST = 1000;
    /** The park while a stream rests: its first message waits so long at most, and a core is hardly taken. */
    private static final long REST_PARK_NS = 10_000_000L;

    private final Environment environment;
    private int spins;
    private long parkNs = PARK_MIN_NS;
    private int longestParks;

    /**
     * An idle strategy.
     *
     * @param environment to park in.
     */
    public BackoffIdleStrategy(final Environment environment) {
        this.environment = environment;
    }

    @Override
    public void idle(final int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    public void idle() {
        if (spins < SPINS) {
            spins++;
            Thread.onSpinWait();
        } else {
            park();
        }
    }

    private void park() {
        if (longestParks == PARKS_BEFORE_REST) {
            environment.park(REST_PARK_NS);
        } else {
            environment.park(parkNs);
            longestParks += parkNs == PARK_MAX_NS ? 1 : 0;
            parkNs = Math.min(parkNs * 2, PARK_MAX_NS);
        }
    }

    @Override
    public void reset() {
        spins = 0;
        parkNs = PARK_MIN_NS;
        longestParks = 0;
    }

    @Override
    public String alias() {
        return "backoff";
    }
}
