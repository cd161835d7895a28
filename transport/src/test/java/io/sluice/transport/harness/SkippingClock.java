package io.sluice.transport.harness;

import io.sluice.environment.Environment;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.environment.Worker;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * The real machine with a clock that a test can put forward, and that counts how often one thread looks at it. Any
 * thread.
 */
public final class SkippingClock implements Environment {
    private final SystemEnvironment system = SystemEnvironment.instance();
    private final AtomicLong skippedNs = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();
    private volatile Thread watched;

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
        final long nowNs = system.nanoTime() + skippedNs.get();
        if (Thread.currentThread() == watched) {
            looks.incrementAndGet();
        }
        return nowNs;
    }

    @Override
    public long epochMs() {
        return system.epochMs();
    }

    @Override
    public long randomLong() {
        return system.randomLong();
    }

    @Override
    public long processId() {
        return system.processId();
    }

    @Override
    public void park(final long durationNs) {
        system.park(durationNs);
    }

    @Override
    public void fenceAllThreads() {
        system.fenceAllThreads();
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        return system.startWorker(agent, idleStrategy, errorHandler);
    }

    @Override
    public SharedFiles files() {
        return system.files();
    }

    @Override
    public LocalSockets localSockets() {
        return system.localSockets();
    }
}
