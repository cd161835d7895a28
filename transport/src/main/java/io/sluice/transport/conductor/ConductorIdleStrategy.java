package io.sluice.transport.conductor;

import io.sluice.environment.Environment;
import io.sluice.transport.agent.Services;
import io.sluice.transport.settings.Durations;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets the conductor sleep between two duty cycles: the shorter, the less time has passed since it had something to do.
 * Work of this process wakes it; messages of peers do not. Messages that flow need no conductor, and each look of it
 * may take the core from who handles them: an offer that leaves a tail which waits for credit wakes it, and so does the
 * first one that is refused. One thread.
 */
public final class ConductorIdleStrategy implements IdleStrategy {
    /** The sleep after work, twice as long each time: handshakes go back and forth several times. */
    private static final long PARK_MIN_NS = 50_000L;
    /** The longest sleep, later on: bounds how late a peer is noticed, and costs a few thousandths of a core. */
    private static final long PARK_MAX_NS = 10_000_000L;
    /** The least of the longest sleeps, whatever the intervals are. */
    private static final long PARK_MAX_LEAST_NS = 1_000_000L;
    /** The longest sleep when nothing has happened: nobody waits then but a peer that wants something new. */
    private static final long REST_PARK_MAX_NS = 50_000_000L;
    /** The sleep while a tail waits for credit. */
    private static final long FLUSH_PARK_NS = 20_000L;
    /** The least number of times that the conductor wakes up between two heartbeats, so that each leaves in time. */
    private static final int PARKS_PER_INTERVAL = 4;
    /** The least number while it rests: a heartbeat is half an interval late at most, and many must be missed. */
    private static final int REST_PARKS_PER_INTERVAL = 2;

    private final Environment environment;
    private final Conductor conductor;
    private final Services services;
    private final long maxParkNs;
    private final long maxRestNs;
    private long parkNs = PARK_MIN_NS;
    private long parkedNs;

    /**
     * Creates an idle strategy.
     *
     * @param environment to park in.
     * @param conductor   whose agent's thread it is.
     */
    public ConductorIdleStrategy(final Environment environment, final Conductor conductor) {
        this.environment = environment;
        this.conductor = conductor;
        services = conductor.services();
        final Durations durations = services.parameters().durations();
        maxParkNs = maxParkNs(durations);
        maxRestNs = maxRestNs(durations);
    }

    /** {@return the longest time between two duty cycles within 200 ms of work, in nanoseconds} */
    static long maxParkNs(final Durations durations) {
        return Math.clamp(
            Math.min(durations.heartbeatIntervalNs() / PARKS_PER_INTERVAL, durations.discoveryIntervalNs()),
            PARK_MAX_LEAST_NS, PARK_MAX_NS);
    }

    /** {@return the longest time between two duty cycles after 200 ms without work, in nanoseconds} */
    static long maxRestNs(final Durations durations) {
        return Math.clamp(
            durations.heartbeatIntervalNs() / REST_PARKS_PER_INTERVAL, maxParkNs(durations), REST_PARK_MAX_NS);
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
        if (conductor.isFlushWaiting()) {
            environment.park(FLUSH_PARK_NS);
        } else {
            rest();
        }
    }

    private void rest() {
        if (parkedNs >= CyclePace.REST_AFTER_NS) {
            environment.park(maxRestNs);
        } else {
            environment.park(parkNs);
            parkedNs += parkNs;
            parkNs = Math.min(parkNs * 2, maxParkNs);
        }
    }

    @Override
    public void reset() {
        parkNs = PARK_MIN_NS;
        parkedNs = 0;
    }

    @Override
    public String alias() {
        return "conductor";
    }
}
