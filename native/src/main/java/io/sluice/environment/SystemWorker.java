package io.sluice.environment;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

/**
 * A worker on a daemon thread, so that a program that forgot to close can still end. Interrupting the thread ends the
 * agent, as {@link AgentRunner} has it; closing does not interrupt unless the agent is stuck.
 */
final class SystemWorker implements Worker {
    /**
     * The time in milliseconds that a closing thread waits before it reports the agent as stuck and interrupts it;
     * Agrona's own bound.
     */
    private static final long STUCK_AFTER_MS = AgentRunner.RETRY_CLOSE_TIMEOUT_MS;

    /** Makes threads that do not keep the JVM from ending. */
    static final ThreadFactory DAEMONS = Thread.ofPlatform().daemon()::unstarted;

    private final GuardedAgent agent;
    private final Thread thread;

    private SystemWorker(final GuardedAgent agent, final Thread thread) {
        this.agent = agent;
        this.thread = thread;
    }

    static SystemWorker start(
        final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler,
        final ThreadFactory threadFactory) {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(errorHandler, "errorHandler");
        final GuardedAgent guarded = new GuardedAgent(agent, errorHandler);
        final AgentRunner runner = new AgentRunner(idleStrategy, guarded::report, null, guarded);
        final AtomicBoolean isAccepted = new AtomicBoolean();
        final Thread thread;
        try {
            thread = AgentRunner.startOnThread(runner, task -> thread(task, guarded, threadFactory, isAccepted));
        } catch (final OutOfMemoryError e) {
            throw new IllegalStateException(noThread(agent.roleName()), e);
        }
        if (thread.getState() == Thread.State.NEW) {
            isAccepted.set(false);
            throw new IllegalStateException(
                "the thread factory has made a thread that does not start: roleName=" + agent.roleName());
        }
        return new SystemWorker(guarded, thread);
    }

    /** Tell what to do when the JVM says that it has no memory for a thread, which is hardly ever the reason. */
    static String noThread(final String name) {
        return "cannot start thread=" + name + ": raise the number of threads that the user or the container may have"
            + " (ulimit -u, pids.max of the control group), or the memory for their stacks";
    }

    /**
     * Makes the agent's thread. An {@link Error} of the idle strategy ends the runner without {@code onClose}; others
     * may wait for that. A thread that is refused runs nothing, whenever it starts.
     */
    private static Thread thread(
        final Runnable task, final GuardedAgent agent, final ThreadFactory threadFactory,
        final AtomicBoolean isAccepted) {
        final Thread made = made(threadFactory, agent.roleName(), () -> {
            if (isAccepted.get()) {
                try {
                    task.run();
                } finally {
                    agent.onClose();
                }
            }
        });
        if (made == null) {
            throw new IllegalStateException("the thread factory has made no thread: roleName=" + agent.roleName());
        }
        if (made.getState() != Thread.State.NEW) {
            throw new IllegalStateException(
                "the thread factory has made a thread that was started already: roleName=" + agent.roleName());
        }
        isAccepted.set(true);
        return made;
    }

    private static Thread made(final ThreadFactory threadFactory, final String roleName, final Runnable task) {
        try {
            return threadFactory.newThread(task);
        } catch (final OutOfMemoryError e) {
            throw e;
        } catch (final Throwable e) {
            throw new IllegalStateException("the thread factory has thrown: roleName=" + roleName + " thrown=" + e, e);
        }
    }

    @Override
    public void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * {@inheritDoc}
     * <p>
     * The runner's own close would run {@code onClose} on the caller's thread when the worker's has not begun yet, let
     * a second caller return too early, and pass the caller's interrupt on to the agent. So the agent is asked to end
     * by its guard, and every caller waits for the thread; a caller's interrupt is kept for afterwards.
     */
    @Override
    public void close() {
        stop();
        boolean interrupted = false;
        while (thread.isAlive()) {
            interrupted |= join(STUCK_AFTER_MS);
            if (thread.isAlive()) {
                reportStuck(STUCK_AFTER_MS, "");
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean closeOrAbandon(final long timeoutNs) {
        stop();
        final long timeoutMs = TimeUnit.NANOSECONDS.toMillis(timeoutNs) + 1;
        boolean interrupted = join(timeoutMs);
        if (thread.isAlive()) {
            reportStuck(timeoutMs, " and left alone unless it stops then");
            thread.interrupt();
            interrupted |= join(timeoutMs);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /**
     * Waits for the thread: a caller that was interrupted, too, for a thread that is well needs microseconds to end.
     *
     * @return whether the caller was interrupted.
     */
    private boolean join(final long timeoutMs) {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean interrupted = false;
        for (long leftNs = endNs - System.nanoTime(); leftNs > 0 && thread.isAlive();
            leftNs = endNs - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
            } catch (final InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    private void stop() {
        if (isCurrent()) {
            throw new IllegalStateException("a worker cannot be closed by its own agent: roleName=" + agent.roleName());
        }
        agent.stop();
        LockSupport.unpark(thread);
    }

    private void reportStuck(final long waitedMs, final String more) {
        final IllegalStateException stuck = new IllegalStateException("agent has not stopped: roleName="
            + agent.roleName() + " waitedMs=" + waitedMs + "; it is interrupted now" + more
            + ", the stack shows where it is");
        stuck.setStackTrace(thread.getStackTrace());
        agent.report(stuck);
    }
}
