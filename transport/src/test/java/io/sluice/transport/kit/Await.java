package io.sluice.transport.kit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for conditions, with a deadline that only a hang reaches. On a hang the error carries the stacks of all
 * threads.
 */
public final class Await {
    /** Far longer than anything takes on a busy machine: reaching it is a failure. An emulated one needs more. */
    public static final long DEADLINE_SECONDS =
        Long.parseLong(System.getProperty("sluice.test.deadline.seconds", "60"));

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Await() {
    }

    /**
     * Wait until a condition holds.
     *
     * @param what      for people.
     * @param condition that must come true.
     */
    public static void until(final String what, final BooleanSupplier condition) {
        until(() -> what, condition, DEADLINE_SECONDS);
    }

    /**
     * Try again until an attempt is not refused any more.
     *
     * @param what    for people.
     * @param attempt that throws {@link IllegalStateException} meanwhile.
     */
    public static void accepted(final String what, final Runnable attempt) {
        until(what, () -> {
            try {
                attempt.run();
                return true;
            } catch (final IllegalStateException ex) {
                return false;
            }
        });
    }

    /**
     * Wait until a condition holds.
     *
     * @param what      for people, made when the deadline is over.
     * @param condition that must come true.
     * @param seconds   at most.
     */
    public static void until(final Supplier<String> what, final BooleanSupplier condition, final long seconds) {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for: " + what.get());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + seconds + " s: " + what.get() + "\n" + threadDump());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Wait for a thread to end. */
    public static void end(final Thread thread) {
        until("end of thread " + thread.getName(), () -> !thread.isAlive());
    }

    /** The stacks of all threads of this JVM. */
    public static String threadDump() {
        final StringBuilder text = new StringBuilder("threads:\n");
        for (final ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            text.append(info);
        }
        return text.toString();
    }
}
