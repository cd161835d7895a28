package io.sluice.verbs.model;

import io.sluice.verbs.foreign.SystemCalls;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/** Events of one kind behind a descriptor. Guarded by the fabric's monitor. */
final class ModelChannel<T> {
    final int descriptor = SystemCalls.newEventDescriptor();
    private final Deque<T> events = new ArrayDeque<>();

    void add(final T event) {
        events.add(event);
        SystemCalls.signal(descriptor);
    }

    /** The next event, or null. */
    T poll() {
        final T event = events.poll();
        if (events.isEmpty()) {
            SystemCalls.clear(descriptor);
        }
        return event;
    }

    void removeIf(final Predicate<T> isGone) {
        events.removeIf(isGone);
        if (events.isEmpty()) {
            SystemCalls.clear(descriptor);
        }
    }

    void close() {
        SystemCalls.close(descriptor);
    }
}
