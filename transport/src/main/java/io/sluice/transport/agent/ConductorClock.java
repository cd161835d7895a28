package io.sluice.transport.agent;

import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.status.TransportCounter;

/**
 * The time that liveness is judged by: it stands still while the conductor does not run, so that a stopped or starved
 * process does not take its own pause for its peers' silence. Conductor only.
 */
public final class ConductorClock {
    private final LiveCounters counters;
    private final FlightEvents flight;
    private final long maxStepNs;
    private long lastNanoTime;
    private long nowNs;

    /**
     * Set a clock going.
     *
     * @param counters  of the transport: pauses of this process are counted.
     * @param flight    has them recorded.
     * @param maxStepNs the longest step that is not taken for a pause of this process.
     * @param nanoTime  of the environment, now.
     */
    public ConductorClock(
        final LiveCounters counters, final FlightEvents flight, final long maxStepNs, final long nanoTime) {
        this.counters = counters;
        this.flight = flight;
        this.maxStepNs = maxStepNs;
        lastNanoTime = nanoTime;
    }

    /**
     * Go on to another time of the environment. Conductor, in each cycle.
     *
     * @param nanoTime of the environment.
     * @return the time of this clock, in nanoseconds.
     */
    public long advance(final long nanoTime) {
        final long elapsedNs = nanoTime - lastNanoTime;
        lastNanoTime = nanoTime;
        if (elapsedNs > maxStepNs) {
            counters.increment(TransportCounter.CONDUCTOR_STALLS);
            flight.conductorStalled(elapsedNs, maxStepNs);
        }
        nowNs += Math.max(0, Math.min(elapsedNs, maxStepNs));
        return nowNs;
    }

    long nowNs() {
        return nowNs;
    }
}
