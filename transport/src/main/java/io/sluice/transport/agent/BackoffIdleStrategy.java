package io.sluice.transport.agent;

import io.sluice.environment.Environment;
import org.agrona.concurrent.IdleStrategy;

/**
 * Leaves the core while nothing arrives, for longer after a second of that: of what kind the pauses before are, the
 * factory methods say. One thread.
 */
public final class BackoffIdleStrategy implements IdleStrategy {
    /** The time to spin for: longer than the pauses within a burst, and than it takes to wake a thread. */
    private static final long SPIN_NS = 50_000L;
    /** The number of spins that takes about so long where a cycle takes next to nothing. */
    private static final int SPINS = 2_000;
    /** The number of spins between looks at the clock, whose price is that of a short cycle. */
    private static final int SPINS_PER_LOOK = 4;
    private static final long PARK_MIN_NS = 1_000L;
    private static final long PARK_MAX_NS = 1_000_000L;
    /** The park of the strategy {@code sleeping}: a message waits so long at most. Waking up takes the core, too. */
    private static final long SLEEP_NS = 100_000L;
    /** The time of the longest parks, one after the other, after which a stream counts as one that rests. */
    private static final long REST_AFTER_NS = 1_000_000_000L;
    /** The park while a stream rests: its first message waits so long at most, and a core is hardly taken. */
    private static final long REST_PARK_NS = 10_000_000L;

    private final Environment environment;
    private final String alias;
    private final int maxSpins;
    private final long minParkNs;
    private final long maxParkNs;
    private final long restAfterNs;
    private int spins;
    private long spinUntilNs;
    private long parkNs;
    private long parkedNs;

    private BackoffIdleStrategy(
        final Environment environment, final String alias, final int maxSpins, final long minParkNs,
        final long maxParkNs, final long restAfterNs) {
        this.environment = environment;
        this.alias = alias;
        this.maxSpins = maxSpins;
        this.minParkNs = minParkNs;
        this.maxParkNs = maxParkNs;
        this.restAfterNs = restAfterNs;
        parkNs = minParkNs;
    }

    /**
     * A strategy that spins for some tens of microseconds and then leaves the core for longer and longer: a poller that
     * keeps up with a busy stream at once, and does not take a core from the application of a machine that has few.
     *
     * @param environment to park in.
     * @return a new strategy.
     */
    public static BackoffIdleStrategy backoff(final Environment environment) {
        return new BackoffIdleStrategy(environment, "backoff", SPINS, PARK_MIN_NS, PARK_MAX_NS, REST_AFTER_NS);
    }

    /**
     * A strategy that leaves the core at once, each time for as long.
     *
     * @param environment to park in.
     * @return a new strategy.
     */
    static BackoffIdleStrategy sleeping(final Environment environment) {
        return new BackoffIdleStrategy(environment, "sleeping", 0, SLEEP_NS, SLEEP_NS, REST_AFTER_NS);
    }

    /**
     * A strategy that spins for some tens of microseconds, as long as it takes to wake a thread, and then rests: for
     * whoever is woken.
     *
     * @param environment to park in.
     * @return a new strategy.
     */
    static BackoffIdleStrategy blocking(final Environment environment) {
        return new BackoffIdleStrategy(environment, IdleStrategies.BLOCKING, SPINS, PARK_MIN_NS, PARK_MAX_NS, 0);
    }

    /** {@return whether nothing has happened for so long that the next park is the longest} */
    public boolean isResting() {
        return spins >= maxSpins && parkedNs >= restAfterNs;
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
        if (spins < maxSpins) {
            spin();
        } else {
            park();
        }
    }

    /** Spins, for a time: a long cycle may keep the very thread from its core that it has work for. */
    private void spin() {
        if (spins % SPINS_PER_LOOK == 0) {
            final long nowNs = environment.nanoTime();
            if (spins == 0) {
                spinUntilNs = nowNs + SPIN_NS;
            } else if (nowNs - spinUntilNs >= 0) {
                spins = maxSpins;
                return;
            }
        }
        spins++;
        Thread.onSpinWait();
    }

    private void park() {
        if (parkedNs >= restAfterNs) {
            environment.park(REST_PARK_NS);
        } else {
            environment.park(parkNs);
            parkedNs += parkNs == maxParkNs ? parkNs : 0;
            parkNs = Math.min(parkNs * 2, maxParkNs);
        }
    }

    @Override
    public void reset() {
        spins = 0;
        parkNs = minParkNs;
        parkedNs = 0;
    }

    @Override
    public String alias() {
        return alias;
    }
}
