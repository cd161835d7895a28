package io.sluice.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads of a test that use its memory and its queues. {@link Rig} stops them before it closes anything: a test that
 * fails, or is given up at its time limit, must not let memory go while one of them still writes there, because that
 * ends the JVM. Their loops ask {@link #mayGoOn()}. The test's thread.
 */
public final class Workers {
    /** A worker asks much more often than that whether it may go on. */
    private static final long STOP_TIMEOUT_MS = 60_000;
    private static final long LOOK_INTERVAL_MS = 20;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isStopping;

    /** Any thread: false when a worker has failed or the test is over. */
    public boolean mayGoOn() {
        return !isStopping;
    }

    /** A worker: waits a moment for another thread, and ends this one when it may not go on. */
    public void idle(final Backoff backoff) {
        if (isStopping) {
            throw new IllegalStateException("given up");
        }
        backoff.idle();
    }

    public Thread start(final Runnable body) {
        final Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (final RuntimeException | Error e) {
                failure.compareAndSet(null, e);
                isStopping = true;
            }
        }, "worker-" + threads.size());
        threads.add(thread);
        thread.start();
        return thread;
    }

    /** Wait until a worker has come to where it counts down. */
    public void await(final CountDownLatch latch) throws InterruptedException {
        while (!latch.await(LOOK_INTERVAL_MS, TimeUnit.MILLISECONDS)) {
            requireNoFailure();
        }
    }

    /** Wait until these have ended; fails when any has failed. */
    public void join(final Thread... some) throws InterruptedException {
        for (final Thread thread : some) {
            thread.join();
        }
        requireNoFailure();
    }

    private void requireNoFailure() {
        if (failure.get() != null) {
            throw new AssertionError("a worker has failed", failure.get());
        }
    }

    /**
     * Ask all to end and wait for them, however often this thread is interrupted meanwhile.
     *
     * @return false when one goes on: then what it uses must stay.
     */
    public boolean stop() {
        isStopping = true;
        threads.forEach(Thread::interrupt);
        final long startNs = System.nanoTime();
        boolean isInterrupted = false;
        for (final Thread thread : threads) {
            while (thread.isAlive() && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) < STOP_TIMEOUT_MS) {
                try {
                    thread.join(LOOK_INTERVAL_MS);
                } catch (final InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return threads.stream().noneMatch(Thread::isAlive);
    }
}
