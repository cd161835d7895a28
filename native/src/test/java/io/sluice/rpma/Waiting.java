package io.sluice.rpma;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Another thread, in a call that waits. The test's thread. */
final class Waiting<T> implements AutoCloseable {
    /** Longer than anything takes that works. */
    static final long PATIENCE_S = 30;

    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();

    private final FutureTask<T> task;
    private final Thread thread;

    Waiting(final Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "waiting");
        thread.setDaemon(true);
        THREADS.add(thread);
        thread.start();
    }

    /** Whether all threads came back: else what they may still call must stay. */
    static boolean isOver() {
        THREADS.removeIf(thread -> !thread.isAlive());
        return THREADS.isEmpty();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** The value that the call has returned, as soon as it has. */
    T result() throws InterruptedException, TimeoutException {
        try {
            return task.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (final ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** The throwable that the call has thrown, as soon as it has. */
    Throwable failure() throws InterruptedException, TimeoutException {
        try {
            throw new AssertionError("nothing was thrown but returned: " + task.get(PATIENCE_S, TimeUnit.SECONDS));
        } catch (final ExecutionException e) {
            return e.getCause();
        }
    }

    @Override
    public void close() {
        try {
            if (!thread.join(Duration.ofSeconds(PATIENCE_S))) {
                throw new AssertionError("the thread does not come back");
            }
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
