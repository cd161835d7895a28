package io.sluice.transport.monitor;

import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the counters of everything that has some, makes them when it is new and frees them when it is gone. Links,
 * which peers ask for, leave {@link StatusFiles#ownCapacity()} to the rest. Something without room gets its counters
 * when others have given theirs back. Conductor only; allocates nothing while nothing comes or goes.
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
    /** Counters in use by what is no link. */
    private int ownInUse;
    private int emptyGroups;
    /** Counters that are left at least to those without, looked up once per refresh: there may be thousands. */
    private int availableToEmpty;

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
        ownInUse = 0;
        emptyGroups = 0;
    }

    void beginRefresh() {
        refresh++;
        availableToEmpty = emptyGroups == 0 ? 0 : files.available();
    }

    /** The group of an owner that has one, else null; also null when there was no room for it and now there is. */
    CounterGroup find(final Object owner) {
        final CounterGroup group = byOwner.get(owner);
        if (group == null || group.isEmpty() && isRoom(group.scope(), availableToEmpty)) {
            return null;
        }
        group.seenInRefresh(refresh);
        return group;
    }

    /**
     * Whether there is room for a group of counters: freed ones are not available until a reader has had time, so links
     * that come and go keep to their share.
     */
    private boolean isRoom(final CounterScope scope, final int available) {
        final int kept = isOfLink(scope) ? Math.max(0, files.ownCapacity() - ownInUse) : 0;
        return available - kept >= CounterGroup.size(scope);
    }

    private static boolean isOfLink(final CounterScope scope) {
        return scope == CounterScope.LINK || scope == CounterScope.IMAGE;
    }

    CounterGroup add(
        final Object owner, final CounterScope scope, final CounterKey key, final String name, final String channel) {
        final CounterGroup group = isRoom(scope, files.available())
            ? CounterGroup.of(files, scope, key, name, channel) : CounterGroup.empty(scope);
        group.seenInRefresh(refresh);
        byOwner.put(owner, group);
        all.add(new Owned(owner, group));
        count(group, 1);
        if (group.isEmpty()) {
            onFull.run();
        } else {
            availableToEmpty -= CounterGroup.size(scope);
        }
        return group;
    }

    private void count(final CounterGroup group, final int sign) {
        if (group.isEmpty()) {
            emptyGroups += sign;
        } else if (!isOfLink(group.scope())) {
            ownInUse += sign * CounterGroup.size(group.scope());
        }
    }

    /** Free the counters of everything that was not asked for since the refresh began. */
    void endRefresh() {
        for (int i = all.size() - 1; i >= 0; i--) {
            final Owned gone = all.get(i);
            if (gone.group().seenInRefresh() != refresh) {
                // not the group that has taken the place of an empty one
                byOwner.remove(gone.owner(), gone.group());
                all.remove(i);
                count(gone.group(), -1);
                gone.group().close();
            }
        }
    }
}
