package io.sluice.transport.conductor;

import io.sluice.environment.Environment;
import io.sluice.transport.agent.Services;
import io.sluice.transport.settings.Durations;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets the conductor sleep between two duty cycles: the shorter, the less time has passed since it had something to do.
 * Work of this process wakes it; messages of peers do not. One thread.
 */
public final class ConductorIdleStrategy implements IdleStrategy {
    /** The sleep after work: handshakes go back and forth several times. */
    private static final long PARK_MIN_NS = 1_000_000L;
    /** The longest sleep, later on: bounds how late a peer is noticed, and costs a few thousandths of a core. */
    private static final long PARK_MAX_NS = 10_000_000L;
    /** The sleep while a tail waits for credit. */
    private static final long FLUSH_PARK_NS = 20_000L;
    /** The least number of times that the conductor wakes up between two heartbeats, so that each leaves in time. */
    private static final int PARKS_PER_INTERVAL = 4;

    private final Environment environment;
    private final Conductor conductor;
    private final Services services;
    private final long maxParkNs;
    private long parkNs = PARK_MIN_NS;

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
        maxParkNs = Math.clamp(
            Math.min(durations.heartbeatIntervalNs() / PARKS_PER_INTERVAL, durations.discoveryIntervalNs()),
            PARK_MIN_NS, PARK_MAX_NS);
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
            environment.park(parkNs);
            parkNs = Math.min(parkNs * 2, maxParkNs);
        }
    }

    @Override
    public void reset() {
        parkNs = PARK_MIN_NS;
    }

    @Override
    public String alias() {
        return "conductor";
    }
}
