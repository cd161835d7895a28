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
     * Handle waiting messages, without blocking.
     *
     * @return messages handled.
     */
    int poll();
}
