package io.sluice.transport.flight;

/**
 * Watches how long one consumer is at the same message, by looking at what it has counted: the consumer's thread knows
 * nothing of it. A time is as exact as the looks are frequent. Conductor only; owns nothing.
 */
public final class HandlerWatch {
    private final FlightEvents events;
    private final String channel;
    private final int streamId;
    private final String consumer;
    /** The time at the message, or at the poll, that it was seen at last; null while it was at none. */
    private SlowHandlerEvent current;
    private long seen;
    /** True when the consumer was seen at {@link #current} more than once: else no time is known. */
    private boolean hasStayed;

    HandlerWatch(final FlightEvents events, final String channel, final int streamId, final String consumer) {
        this.events = events;
        this.channel = channel;
        this.streamId = streamId;
        this.consumer = consumer;
    }

    /**
     * Looks at the consumer.
     *
     * @param isBusy whether it has something to be done with.
     * @param done   of what it has done so far: another number than at the last look tells that it has moved on.
     */
    public void look(final boolean isBusy, final long done) {
        if (isBusy && current != null && done == seen) {
            // as long as it was seen there, and not until the look that sees it elsewhere
            current.end();
            hasStayed = true;
            return;
        }
        if (current != null && hasStayed) {
            events.commit(current);
        }
        current = null;
        hasStayed = false;
        if (isBusy) {
            seen = done;
            current = new SlowHandlerEvent();
            current.channel = channel;
            current.streamId = streamId;
            current.consumer = consumer;
            current.messages = done;
            current.begin();
        }
    }
}
