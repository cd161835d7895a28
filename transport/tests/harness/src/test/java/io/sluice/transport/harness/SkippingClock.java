package io.sluice.transport.harness;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.kit.Await;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The real machine with a clock that a test can put forward, and that counts how often one thread looks at it. Any
 * thread.
 */
public final class SkippingClock extends ForwardingEnvironment {
    private final AtomicLong skippedNs = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();
    private final long slowness;
    private volatile Thread watched;

    /** A clock that goes as fast as the machine's. */
    public SkippingClock() {
        this(1);
    }

    /**
     * A clock that goes more slowly than the machine's, so that a machine which stands still for a while is not taken
     * for something that the test has put the clock forward for.
     *
     * @param slowness time of the machine for each unit of this clock's; at least 1.
     */
    public SkippingClock(final int slowness) {
        super(SystemEnvironment.instance());
        this.slowness = slowness;
    }

    public void skip(final long durationNs) {
        skippedNs.addAndGet(durationNs);
    }

    /** Count from now on how often a thread looks. */
    public void watch(final Thread thread) {
        looks.set(0);
        watched = thread;
    }

    /** Wait until the watched thread has looked so many times more. */
    public void awaitLooks(final int count) {
        final long target = looks.get() + count;
        Await.until("looks at the clock", () -> looks.get() >= target);
    }

    @Override
    public long nanoTime() {
        final long nowNs = super.nanoTime() / slowness + skippedNs.get();
        if (Thread.currentThread() == watched) {
            looks.incrementAndGet();
        }
        return nowNs;
    }
}
