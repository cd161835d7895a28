package io.sluice.samples;

import io.sluice.os.CpuAffinity;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs a task on a thread of its own that is pinned from inside. The transport must have been launched before: threads
 * inherit the processors of the thread that starts them, and its own must not compete with this one.
 */
final class PinnedThread {
    private PinnedThread() {
    }

    /**
     * Run and wait.
     *
     * @param name of the thread.
     * @param core processor, or {@link Cores#NONE}.
     * @param task to run; what it throws is thrown here.
     */
    static void run(final String name, final int core, final Runnable task) throws InterruptedException {
        final FutureTask<Void> future = new FutureTask<>(() -> {
            pin(core);
            task.run();
        }, null);
        new Thread(future, name).start();
        try {
            future.get();
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Pin the calling thread to a processor, or not to {@link Cores#NONE}. */
    static void pin(final int core) {
        if (core == Cores.NONE) {
            return;
        }
        try {
            CpuAffinity.pin(core);
        } catch (final IllegalArgumentException | IllegalStateException e) {
            throw new RunFailure("cannot pin the thread: " + e.getMessage() + "; or use --no-pin", e);
        }
    }
}
