package io.sluice.transport;

/**
 * Handles the messages of a subscription on a thread of its own, as a consumer of its ring: in the Disruptor's words.
 * All methods are called by that one thread. See {@link HandlerGraph}.
 */
@FunctionalInterface
public interface MessageEventHandler {
    /**
     * Give a handler a name, such as a lambda, which has none of its own. A graph knows the handler that is returned,
     * and not the one inside it.
     *
     * @param name    a short name, or the empty text to be numbered.
     * @param handler that is called for all else.
     * @return a handler with that name.
     */
    static MessageEventHandler named(final String name, final MessageEventHandler handler) {
        return new NamedEventHandler(name, handler);
    }

    /**
     * Handles a message. The event and its buffer are valid until this method returns or releases it, and must not be
     * kept or written to. What this method throws goes to the error handler, and the message counts as consumed. The
     * consumer goes on with the next one, but for an {@link InterruptedException}: it asks the thread to end, and the
     * consumer leaves the graph with all that depend on it.
     *
     * @param event      the message and where it comes from.
     * @param sequence   of the event on the ring, from 0, growing by one.
     * @param endOfBatch whether no further message follows at once: the moment to flush what was gathered.
     * @throws Exception for the error handler.
     */
    void onEvent(MessageEvent event, long sequence, boolean endOfBatch) throws Exception;

    /**
     * Tells that a batch begins.
     *
     * @param batchSize  messages that follow, one after the other, at least 1.
     * @param queueDepth messages that wait for this consumer, those of the batch included.
     */
    default void onBatchStart(final long batchSize, final long queueDepth) {
    }

    /**
     * Prepares the handler, before the first message. What it throws goes to the error handler, and messages come all
     * the same.
     */
    default void onStart() {
    }

    /**
     * Winds the handler up, after the last message, whichever way it ends. What it throws goes to the error handler.
     */
    default void onShutdown() {
    }

    /**
     * The consumer's name, as counters, names of threads and the transport's errors about a consumer show it; what a
     * handler throws is told as it is.
     *
     * @return a short name that no other handler of its graph has, or the empty text to be numbered.
     */
    default String name() {
        return "";
    }
}
