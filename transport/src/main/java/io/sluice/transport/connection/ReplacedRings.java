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

    private final Conductor conductor;
    private final List<Replaced> rings = new ArrayList<>();
    private boolean isOver;

    ReplacedRings(final Conductor conductor) {
        this.conductor = conductor;
    }

    /** Keep a ring until a position is consumed; when the link is over, nobody uses it any more. */
    void add(final MemoryRegion ring, final long consumedPosition) {
        if (isOver) {
            conductor.release(ring);
        } else {
            rings.add(new Replaced(ring, consumedPosition));
        }
    }

    void releasePassed(final long consumed) {
        for (int i = rings.size() - 1; i >= 0; i--) {
            if (consumed >= rings.get(i).consumedPosition()) {
                conductor.release(rings.remove(i).ring());
            }
        }
    }

    void releaseAll() {
        isOver = true;
        releasePassed(Long.MAX_VALUE);
    }
}
