package io.sluice.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a sample. What one of them throws stops them all and is thrown again by {@link #awaitEnd}. Used by
 * the main thread, which closes it before the transport: closing stops the threads and waits for them.
 */
final class SampleThreads implements AutoCloseable {
    private static final long JOIN_INTERVAL_MS = 1000;

    private final StopSignal stop;
    private final List<Thread> threads = new ArrayList<>();
    private volatile Throwable failure;

    SampleThreads(final StopSignal stop) {
        this.stop = stop;
    }

    /** Start one. */
    void start(final String name, final Runnable task) {
        final Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (final Throwable e) {
                failure = e;
                stop.request();
            }
        }, name);
        threads.add(thread);
        thread.start();
    }

    /**
     * Wait until all have ended.
     *
     * @param timeoutMs how long at most, in milliseconds, 1 or more.
     * @return whether they have.
     */
    boolean awaitEnd(final long timeoutMs) throws InterruptedException {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        for (final Thread thread : threads) {
            // at least a millisecond: 0 would mean for ever
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
            if (thread.isAlive()) {
                return false;
            }
        }
        if (failure instanceof RuntimeException known) {
            throw known;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        return true;
    }

    /** Stop them, wait until all have ended, and throw what one of them threw. */
    void end() throws InterruptedException {
        stop.request();
        while (!awaitEnd(JOIN_INTERVAL_MS)) {
            continue;
        }
    }

    @Override
    public void close() {
        stop.request();
        try {
            for (final Thread thread : threads) {
                thread.join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
