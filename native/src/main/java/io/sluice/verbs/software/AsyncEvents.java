package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventType;
import java.util.concurrent.atomic.AtomicInteger;

/** Asynchronous events of one object that have not been delivered. Any thread. */
final class AsyncEvents {
    private final AtomicInteger raised;
    /** A bit for each type. */
    private final AtomicInteger bits = new AtomicInteger();

    /**
     * Create the events of an object that has none yet.
     *
     * @param raised counts those of all objects of the device, until they are delivered.
     */
    AsyncEvents(final AtomicInteger raised) {
        this.raised = raised;
    }

    /** Raises an event, which the next poll of the device delivers; the same one again before that makes no other. */
    void raise(final AsyncEventType type) {
        bits.getAndUpdate(old -> old | 1 << type.ordinal());
        raised.incrementAndGet();
    }

    /** Device's duty: takes one of them, as the bit of its type's ordinal; 0 when there is none. */
    int takeOne() {
        final int old = bits.getAndUpdate(some -> some & some - 1);
        return Integer.lowestOneBit(old);
    }
}
