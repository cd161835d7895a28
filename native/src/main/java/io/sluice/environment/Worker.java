package io.sluice.environment;

/**
 * An agent running on a thread of its own. Any thread may call; whoever started it closes it.
 */
public interface Worker extends AutoCloseable {
    /**
     * Wake the worker's thread if it is parked in its idle strategy. Costs a system call when it is.
     */
    void wake();

    /**
     * Whether the agent itself calls, and so cannot close its worker.
     *
     * @return true on the worker's thread.
     */
    boolean isCurrent();

    /**
     * Stop the agent and wait until its {@code onClose} has run; idempotent. Must not be called from the agent itself.
     */
    @Override
    void close();

    /**
     * Stop the agent, and leave it alone when it takes too long: then its error handler is told where it is, its
     * thread is interrupted, and unless that helps it ends when it comes back from its duty cycle, if ever. For agents
     * that run what others have written, and whose end nothing depends on. Must not be called from the agent itself.
     *
     * @param timeoutNs how long to wait for its end, in nanoseconds, greater than zero; once more when interrupted.
     * @return whether the agent has ended.
     */
    boolean closeOrAbandon(long timeoutNs);
}
