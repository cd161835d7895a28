package io.sluice.transport.stream;

import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.LinkFeed;
import io.sluice.transport.receive.MessageTimes;
import io.sluice.transport.receive.Poller;

/**
 * The event ring of a subscription and the poller that feeds it; in INVOKER mode there is neither, and the
 * application's own thread polls. Made on the application's thread, then the conductor's, but for {@link #ring()}. The
 * subscription owns it; the poller is the transport's, and outlives it.
 */
final class RingFeed {
    /** The poller that feeds the ring; null in INVOKER mode. */
    private final Poller poller;
    /** The ring between the poller and the consumers; null in INVOKER mode. */
    private final EventRing ring;
    /** The moment since which the poller has to have been outside; taken behind the fence of the close. */
    private long snapshot;

    /**
     * Creates a feed that has not begun.
     *
     * @param poller that is to feed the ring, or null in INVOKER mode.
     * @param feed   that the ring's events come from.
     * @param length of the ring, in events.
     * @param times  that are noted of the messages.
     */
    RingFeed(
        final Poller poller, final LinkFeed feed, final int length, final MessageTimes times) {
        this.poller = poller;
        ring = poller == null ? null : new EventRing(feed, length, times);
    }

    /** {@return the ring, or null in INVOKER mode} Any thread. */
    EventRing ring() {
        return ring;
    }

    /** Hands the ring to the poller, if there is one. */
    void start() {
        if (poller != null) {
            poller.add(ring);
        }
    }

    /** Takes the ring from the poller, which may be in it for a moment yet. */
    void stop() {
        if (poller != null) {
            poller.remove(ring);
        }
    }

    /** Remembers this moment, behind a fence that comes after {@link #stop()}. */
    void remember() {
        snapshot = poller == null ? 0 : poller.guard().snapshot();
    }

    /** {@return whether the poller was outside since the moment that was remembered, or there is none} */
    boolean hasLeft() {
        return poller == null || poller.guard().hasLeftSince(snapshot);
    }
}
