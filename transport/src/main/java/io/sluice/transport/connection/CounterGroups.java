package io.sluice.transport.connection;

import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.StatusFiles;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the counters of everything that has some, makes them when it is new and frees them when it is gone. Conductor
 * only; allocates nothing while nothing comes or goes.
 */
final class CounterGroups {
    private record Owned(Object owner, CounterGroup group) {
    }

    private final StatusFiles files;
    private final Runnable onFull;
    private final Map<Object, CounterGroup> byOwner = new IdentityHashMap<>();
    private final List<Owned> all = new ArrayList<>();
    private long lastNumber;
    private long refresh;

    CounterGroups(final StatusFiles files, final Runnable onFull) {
        this.files = files;
        this.onFull = onFull;
    }

    /** A number that no other group of the transport has. */
    long nextNumber() {
        return ++lastNumber;
    }

    /** Forget all: the file that the counters were in is gone, and what has some gets new ones. */
    void clear() {
        byOwner.clear();
        all.clear();
    }

    void beginRefresh() {
        refresh++;
    }

    /** The group of an owner that has one, else null. */
    CounterGroup find(final Object owner) {
        final CounterGroup group = byOwner.get(owner);
        if (group != null) {
            group.seenInRefresh(refresh);
        }
        return group;
    }

    CounterGroup add(
        final Object owner, final CounterScope scope, final CounterKey key, final String name, final String channel) {
        final CounterGroup group = CounterGroup.of(files, scope, key, name, channel);
        group.seenInRefresh(refresh);
        byOwner.put(owner, group);
        all.add(new Owned(owner, group));
        if (group.isEmpty()) {
            onFull.run();
        }
        return group;
    }

    /** Free the counters of everything that was not asked for since the refresh began. */
    void endRefresh() {
        for (int i = all.size() - 1; i >= 0; i--) {
            final Owned owned = all.get(i);
            if (owned.group().seenInRefresh() != refresh) {
                byOwner.remove(owned.owner());
                all.remove(i);
                owned.group().close();
            }
        }
    }
}
