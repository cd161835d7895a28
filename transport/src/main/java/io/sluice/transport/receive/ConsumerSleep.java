package io.sluice.transport.receive;

import io.sluice.environment.Environment;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets a consumer of a ring leave its core until the poller, or a consumer that it waits for, has moved on: it idles as
 * its strategy says until it rests, says that it sleeps, looks once more, and sleeps. Who moves on looks afterwards
 * whether it sleeps, and wakes it: {@link RingSleepers} says why of the two looks at least one sees what the other side
 * has done.
 * <p>
 * The consumer's thread, but for {@link #wake()}.
 */
public final class ConsumerSleep implements IdleStrategy {
    /**
     * The longest sleep: what nobody wakes the consumer for, the end of its subscription for example, is noticed so
     * late at most.
     */
    private static final long LONGEST_SLEEP_NS = 100_000_000L;
    /**
     * The first sleep where no fence is passed, far longer than a processor holds a write back: a message that was
     * missed meanwhile is found behind it.
     */
    private static final long FIRST_SLEEP_NS = 10_000_000L;

    private final RingSleepers ring;
    private final IdleStrategy before;
    private final BooleanSupplier isResting;
    private final boolean isWaitedFor;
    private final Environment environment;
    private volatile Runnable waker = () -> { };
    private volatile boolean toBeWoken;
    private boolean hasLookedSince;
    private boolean hasSlept;

    /**
     * Creates a strategy whose consumer is awake.
     *
     * @param ring        that counts those who sleep.
     * @param before      what it does until it rests.
     * @param isResting   asked by its thread: whether it rests by now.
     * @param isWaitedFor whether other consumers wait for this one.
     * @param environment to park in.
     */
    ConsumerSleep(
        final RingSleepers ring, final IdleStrategy before, final BooleanSupplier isResting,
        final boolean isWaitedFor, final Environment environment) {
        this.ring = ring;
        this.before = before;
        this.isResting = isResting;
        this.isWaitedFor = isWaitedFor;
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

    /** Wakes those who wait for the consumer, which has moved on. */
    public void wakeOthers() {
        if (isWaitedFor) {
            ring.wake();
        }
    }

    /** Wakes the consumer if it sleeps. Any thread. */
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
        if (!isResting.getAsBoolean()) {
            before.idle();
        } else if (!toBeWoken) {
            toBeWoken = true;
            // also a fence: the consumer's look at the ring must not be ahead of it
            ring.onToBeWoken();
        } else if (hasLookedSince) {
            environment.park(hasSlept || ring.areFenced() ? LONGEST_SLEEP_NS : FIRST_SLEEP_NS);
            hasSlept = true;
        }
    }

    @Override
    public void reset() {
        before.reset();
        if (toBeWoken) {
            toBeWoken = false;
            hasLookedSince = false;
            hasSlept = false;
            ring.onAwake();
        }
    }

    @Override
    public String alias() {
        return before.alias();
    }
}
