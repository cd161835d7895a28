package io.sluice.transport.harness;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The real machine with a clock that a test can put forward, and that counts how often one thread looks at it. Any
 * thread.
 */
public final class SkippingClock extends ForwardingEnvironment {
    private final AtomicLong skippedNs = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();
    private volatile Thread watched;

    public SkippingClock() {
        super(SystemEnvironment.instance());
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
        final long nowNs = super.nanoTime() + skippedNs.get();
        if (Thread.currentThread() == watched) {
            looks.incrementAndGet();
        }
        return nowNs;
    }
}
