package io.sluice.transport.receive;

import io.sluice.environment.Environment;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets a consumer of a ring leave its core until the poller, or a consumer that it waits for, has moved on: it spins
 * for some tens of microseconds, says that it sleeps, looks once more, and sleeps. Who moves on looks afterwards
 * whether it sleeps, and wakes it: of the two looks at least one sees what the other side has done.
 * <p>
 * The consumer's thread, but for {@link #wake()}.
 */
public final class ConsumerSleep implements IdleStrategy {
    /** The number of spins before a sleep: about 50 microseconds, as long as it takes to wake a thread. */
    private static final int SPINS = 2_000;
    /**
     * The longest sleep: what nobody wakes the consumer for, the end of its subscription for example, is noticed so
     * late at most.
     */
    private static final long LONGEST_SLEEP_NS = 100_000_000L;

    private final Environment environment;
    private volatile Runnable waker = () -> { };
    private volatile boolean toBeWoken;
    private boolean hasLookedSince;
    private int spins;

    /**
     * Creates a strategy whose consumer is awake.
     *
     * @param environment to park in.
     */
    public ConsumerSleep(final Environment environment) {
        this.environment = environment;
    }

    /**
     * Sets the action that ends a park of the consumer's thread. Until it is set, nobody ends one.
     *
     * @param newWaker called by any thread.
     */
    public void waker(final Runnable newWaker) {
        waker = newWaker;
    }

    /** Learns from the consumer that it is about to look at the ring. */
    public void onLook() {
        hasLookedSince = toBeWoken;
    }

    /**
     * Wakes the consumer if it sleeps: something has moved on before this call, which has passed a full fence since.
     * Any thread.
     */
    void wake() {
        if (toBeWoken) {
            waker.run();
        }
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
        } else if (!toBeWoken) {
            toBeWoken = true;
            // the consumer's look at the ring must not be ahead of it
            VarHandle.fullFence();
        } else if (hasLookedSince) {
            environment.park(LONGEST_SLEEP_NS);
        }
    }

    @Override
    public void reset() {
        spins = 0;
        if (toBeWoken) {
            toBeWoken = false;
            hasLookedSince = false;
        }
    }

    @Override
    public String alias() {
        return "blocking";
    }
}
