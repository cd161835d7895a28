package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * An idle strategy for a loop of the program's own, one that polls or, with {@link ThreadingMode#INVOKER}, runs the
 * agents: it spins for some tens of microseconds, parks for 1 microsecond, 2 and so on up to a millisecond, and for 10
 * milliseconds once there was nothing to do for a second. Agrona's {@link org.agrona.concurrent.BackoffIdleStrategy}
 * goes on to wake up each millisecond, which takes several percent of a core from a process at rest. The first message
 * after a rest is handled 10 milliseconds late at most.
 * <p>
 * One thread: each loop has a strategy of its own.
 */
public final class RestingIdleStrategy implements IdleStrategy {
    private final BackoffIdleStrategy strategy;

    /** Creates a strategy that spins at first. */
    public RestingIdleStrategy() {
        this(SystemEnvironment.instance());
    }

    RestingIdleStrategy(final Environment environment) {
        strategy = BackoffIdleStrategy.backoff(environment);
    }

    @Override
    public void idle(final int workCount) {
        strategy.idle(workCount);
    }

    @Override
    public void idle() {
        strategy.idle();
    }

    @Override
    public void reset() {
        strategy.reset();
    }

    @Override
    public String alias() {
        return "resting";
    }

    @Override
    public String toString() {
        return "RestingIdleStrategy";
    }
}
