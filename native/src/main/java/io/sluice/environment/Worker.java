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
     * Stop the agent and wait until its {@code onClose} has run; idempotent. Must not be called from the agent itself.
     */
    @Override
    void close();
}
