package io.sluice.transport.connection;

import io.sluice.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * Receive rings of a link's earlier epochs, each kept until the consumers have passed what lies in it. Conductor only.
 */
final class ReplacedRings {
    private record Replaced(MemoryRegion ring, long consumedPosition) {
    }

    private final AbandonedRings abandoned;
    private final List<Replaced> rings = new ArrayList<>();
    private boolean isOver;

    /** None yet; those that a consumer was abandoned with stay with it. */
    ReplacedRings(final AbandonedRings abandoned) {
        this.abandoned = abandoned;
    }

    /** All of them, and the current one. */
    List<MemoryRegion> with(final MemoryRegion current) {
        final List<MemoryRegion> all = new ArrayList<>(List.of(current));
        rings.forEach(replaced -> all.add(replaced.ring()));
        return all;
    }

    /** Keep a ring until a position is consumed; when the link is over, nobody uses it any more. */
    void add(final MemoryRegion ring, final long consumedPosition) {
        if (isOver) {
            abandoned.release(ring);
        } else {
            rings.add(new Replaced(ring, consumedPosition));
        }
    }

    void releasePassed(final long consumed) {
        for (int i = rings.size() - 1; i >= 0; i--) {
            if (consumed >= rings.get(i).consumedPosition()) {
                abandoned.release(rings.remove(i).ring());
            }
        }
    }

    /** The link is over: its current ring goes, too. */
    void releaseAll(final MemoryRegion current) {
        isOver = true;
        releasePassed(Long.MAX_VALUE);
        if (current != null) {
            abandoned.release(current);
        }
    }
}
