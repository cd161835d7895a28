package io.sluice.perf.peer;

/**
 * The receiving end of a stream; one thread.
 */
public interface Receiver {
    /**
     * Whether a sender is connected.
     *
     * @return true when messages can arrive.
     */
    boolean isConnected();

    /**
     * Handle what waits, without blocking. What it returns is not a number of messages, and not a sign that one is
     * whole: only the listener knows, and who waits for a message waits for the listener to be told of it.
     *
     * @return 0 when nothing was there, so that the caller may spin; otherwise how much was done, in the system's own
     *         unit: messages, fragments of them, or the work of an agent.
     */
    int poll();
}
