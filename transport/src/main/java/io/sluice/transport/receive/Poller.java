package io.sluice.transport.receive;

import io.sluice.transport.buffer.EntryGuard;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;

/**
 * Feeds the rings of all subscriptions in DEDICATED mode on one thread. The conductor adds and removes; what was
 * removed is out of use when the {@link #guard()} says that the poller has left since a fence.
 */
public final class Poller implements Agent {
    private static final EventRing[] NO_RINGS = new EventRing[0];

    private final EntryGuard guard = new EntryGuard();
    private volatile EventRing[] rings = NO_RINGS;

    /**
     * A poller without subscriptions.
     */
    public Poller() {
    }

    @Override
    public int doWork() {
        guard.enter();
        try {
            int work = 0;
            for (final EventRing ring : rings) {
                work += ring.feed();
            }
            return work;
        } finally {
            guard.leave();
        }
    }

    @Override
    public String roleName() {
        return "sluice-poller";
    }

    /**
     * Feed a ring from now on. Any thread.
     *
     * @param ring to feed.
     */
    public synchronized void add(final EventRing ring) {
        final List<EventRing> next = new ArrayList<>(List.of(rings));
        next.add(ring);
        rings = next.toArray(EventRing[]::new);
    }

    /**
     * Stop feeding a ring. Any thread.
     *
     * @param ring that was added.
     */
    public synchronized void remove(final EventRing ring) {
        final List<EventRing> next = new ArrayList<>(List.of(rings));
        next.remove(ring);
        rings = next.toArray(EventRing[]::new);
    }

    /**
     * Tells when a removed ring is out of use.
     *
     * @return the guard that the poller is inside of while it works.
     */
    public EntryGuard guard() {
        return guard;
    }
}
