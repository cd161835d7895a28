package io.sluice.environment;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Keeps an agent going, whatever it throws: the runner by itself ends, without {@code onClose}, at the first
 * {@link Error} or when the error handler throws. Only {@link AgentTerminationException} ends it, which an agent throws
 * to say so. Runs on the worker's thread, except {@link #stop()}, which any thread may call.
 */
final class GuardedAgent implements Agent {
    private final Agent agent;
    private final ErrorHandler errorHandler;
    private volatile boolean stopping;
    private boolean hasClosed;

    GuardedAgent(final Agent agent, final ErrorHandler errorHandler) {
        this.agent = agent;
        this.errorHandler = errorHandler;
    }

    void stop() {
        stopping = true;
    }

    @Override
    public void onStart() {
        try {
            agent.onStart();
        } catch (final Error e) {
            // As an exception it ends the agent in order: the runner reports it and goes on to onClose.
            throw new IllegalStateException("agent could not start: roleName=" + roleName(), e);
        }
    }

    @Override
    public int doWork() {
        if (stopping) {
            throw new AgentTerminationException(true);
        }
        try {
            return agent.doWork();
        } catch (final AgentTerminationException e) {
            throw e;
        } catch (final Throwable t) {
            report(t);
            return 0;
        }
    }

    /** Closes the agent once. The runner calls this in order, and the end of the thread calls it in any case. */
    @Override
    public void onClose() {
        if (hasClosed) {
            return;
        }
        hasClosed = true;
        try {
            agent.onClose();
        } catch (final Throwable t) {
            report(t);
        }
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }

    /** Tell the error handler; when that fails too, the thread's handler of uncaught exceptions hears of both. */
    void report(final Throwable failure) {
        try {
            errorHandler.onError(failure);
        } catch (final Throwable t) {
            if (t != failure) {
                t.addSuppressed(failure);
            }
            final Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
        }
    }
}
