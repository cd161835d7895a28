package io.sluice.transport.agent;

import io.sluice.environment.Environment;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Leaves the core whenever there is no work, for as long as the agent says; whoever brings work wakes the thread. One
 * thread.
 */
public final class ParkingIdleStrategy implements IdleStrategy {
    private final Environment environment;
    private final LongSupplier parkTimeNs;

    /**
     * An idle strategy.
     *
     * @param environment to park in.
     * @param parkTimeNs  asked each time for how long at most, in nanoseconds.
     */
    public ParkingIdleStrategy(final Environment environment, final LongSupplier parkTimeNs) {
        this.environment = environment;
        this.parkTimeNs = parkTimeNs;
    }

    @Override
    public void idle(final int workCount) {
        if (workCount <= 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        environment.park(parkTimeNs.getAsLong());
    }

    @Override
    public void reset() {
        // nothing is remembered between calls
    }

    @Override
    public String alias() {
        return "parking";
    }
}
