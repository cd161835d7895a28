package io.sluice.transport.stream;

import io.sluice.transport.agent.Tasks;
import io.sluice.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * Receive rings of a subscription that a consumer may be reading which was evicted and has not come back: whoever
 * releases one of them only gives it up, and it is released when the consumer has come back. Conductor only.
 */
final class AbandonedRings {
    private record Abandoned(MemoryRegion ring, GatingConsumer reader) {
    }

    private final Tasks tasks;
    private final List<Abandoned> abandoned = new ArrayList<>();
    private final List<MemoryRegion> waiting = new ArrayList<>();

    AbandonedRings(final Tasks tasks) {
        this.tasks = tasks;
    }

    /** Keep a ring until a consumer has been outside since it was {@link GatingConsumer#remember remembered}. */
    void abandon(final MemoryRegion ring, final GatingConsumer reader) {
        abandoned.add(new Abandoned(ring, reader));
    }

    /** Release a ring, now or as soon as nobody can be reading it. */
    void release(final MemoryRegion ring) {
        if (isRead(ring)) {
            waiting.add(ring);
        } else {
            tasks.release(ring);
        }
    }

    private boolean isRead(final MemoryRegion ring) {
        for (int i = 0; i < abandoned.size(); i++) {
            if (abandoned.get(i).ring() == ring) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether nobody reads any more} Let go of what consumers that have come back were reading. */
    boolean look() {
        for (int i = abandoned.size() - 1; i >= 0; i--) {
            if (abandoned.get(i).reader().hasBeenOutside()) {
                abandoned.remove(i);
            }
        }
        for (int i = waiting.size() - 1; i >= 0; i--) {
            if (!isRead(waiting.get(i))) {
                tasks.release(waiting.remove(i));
            }
        }
        return abandoned.isEmpty();
    }
}
