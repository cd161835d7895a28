package io.sluice.transport.simulation;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.InboundLink;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * No byte is overwritten while an event on a subscription's ring refers to it: looks at the oldest event, whose bytes
 * go first, and at another one in turn, which may be of another publication.
 */
final class RingWatch {
    private final Subscriber subscriber;
    private final EventRing events;
    private long turn;

    RingWatch(final Subscriber subscriber, final EventRing events) {
        this.subscriber = subscriber;
        this.events = events;
    }

    void check(final Function<InboundLink, LinkWatch> watches) {
        final long oldest = Internals.reclaimed(events) + 1;
        final long newest = events.ring().getCursor();
        if (newest - oldest >= events.ring().getBufferSize()) {
            throw new AssertionError(subscriber.name() + ": events overwritten on the ring: oldest=" + oldest
                + " newest=" + newest + " slots=" + events.ring().getBufferSize());
        }
        if (oldest <= newest) {
            check(oldest, watches);
            turn = turn < oldest || turn >= newest ? oldest : turn + 1;
            check(turn, watches);
        }
    }

    private void check(final long sequence, final Function<InboundLink, LinkWatch> watches) {
        final EventSlot event = events.ring().get(sequence);
        final LinkWatch watch = watches.apply(event.link());
        if (watch == null || watch.mayBeReused()) {
            return;
        }
        final OfferedMessages offered = watch.publisher().offered();
        final UnsafeBuffer ring = event.ring();
        final long end = event.endPosition();
        final int index = offered.indexFrom(end) - 1;
        final String wrong = index < 0 ? "nobody published it"
            : offered.checkFrame(offered.startOf(index), end, ring);
        final int length = FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(event.lengthWord()));
        if (wrong != null || offered.startOf(index) != end - length) {
            throw new AssertionError("overwritten while an event on the ring refers to it: sequence=" + sequence
                + " end=" + end + " " + wrong + " " + watch);
        }
    }
}
