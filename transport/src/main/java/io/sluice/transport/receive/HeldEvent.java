package io.sluice.transport.receive;

import java.lang.invoke.VarHandle;

/**
 * The event that a consumer is at, in a copy of its own: when its handler does not come back, the ring goes on without
 * it, and the event's slot is used again, but not what the handler looks at.
 * <p>
 * The consumer's thread, but for {@link #link()}.
 */
public final class HeldEvent {
    private final ConsumerProgress progress;
    private final EventSlot event = new EventSlot();

    /**
     * Makes a holder of no event yet.
     *
     * @param progress of the consumer, which tells that it is to leave.
     */
    public HeldEvent(final ConsumerProgress progress) {
        this.progress = progress;
    }

    /**
     * Take the next event.
     *
     * @param slot of the ring.
     * @return the copy; null when the consumer was told to leave: the slot may be another event's already.
     */
    public EventSlot take(final EventSlot slot) {
        event.copy(slot);
        // the conductor tells it first, and gives the slot away afterwards
        VarHandle.acquireFence();
        return progress.isEvicted() ? null : event;
    }

    /** {@return the event taken last} */
    public EventSlot event() {
        return event;
    }

    /**
     * The link that the event came from at which a consumer is that was told to leave. Conductor, when every thread has
     * passed a fence since.
     *
     * @return the link; null when no event was taken yet.
     */
    public InboundLink link() {
        return event.link();
    }
}
