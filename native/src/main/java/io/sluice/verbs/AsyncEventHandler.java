package io.sluice.verbs;

/**
 * A handler that is told of asynchronous events, on the thread that calls {@link RdmaDevice#poll(AsyncEventHandler)}.
 */
@FunctionalInterface
public interface AsyncEventHandler {
    /**
     * Tells of an event. The same one may come several times.
     *
     * @param type            what happened.
     * @param completionQueue concerned, or null.
     * @param queuePair       concerned, or null.
     */
    void onAsyncEvent(AsyncEventType type, CompletionQueue completionQueue, QueuePair queuePair);

    /**
     * Tells of an event of a shared receive queue; who has none need not listen.
     *
     * @param type  {@link AsyncEventType#SRQ_LIMIT_REACHED} or {@link AsyncEventType#SRQ_ERR}.
     * @param queue concerned.
     */
    default void onSharedReceiveQueueEvent(final AsyncEventType type, final SharedReceiveQueue queue) {
    }

    /**
     * Tells of an event of a port. Who does not ask for the port is told by {@link #onAsyncEvent}, without objects.
     *
     * @param type one for which {@link AsyncEventType#isOfPort()} is true.
     * @param port number of the port, from 1.
     */
    default void onPortEvent(final AsyncEventType type, final int port) {
        onAsyncEvent(type, null, null);
    }
}
