package io.sluice.transport.monitor;

import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.counters.CounterLabels;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The counters of one publication, link, subscription, image, ring, consumer or agent. Conductor only. A group for
 * which there was no room is empty and takes no values.
 */
final class CounterGroup implements AutoCloseable {
    private static final CounterType[] TYPES = CounterType.values();
    private static final int[] SIZES = sizes();

    private final AtomicCounter[] counters = new AtomicCounter[TYPES.length];
    private final CounterScope scope;
    private boolean isEmpty = true;
    private long seenInRefresh;

    private CounterGroup(final CounterScope scope) {
        this.scope = scope;
    }

    private static int[] sizes() {
        final int[] sizes = new int[CounterScope.values().length];
        for (final CounterType type : TYPES) {
            sizes[type.scope().ordinal()]++;
        }
        return sizes;
    }

    /** {@return the number of counters that a group of this scope takes} */
    static int size(final CounterScope scope) {
        return SIZES[scope.ordinal()];
    }

    /** The group of an agent. */
    static CounterGroup ofAgent(final StatusFiles files, final long number, final String roleName) {
        final CounterGroup group = new CounterGroup(CounterScope.AGENT);
        for (final CounterType type : TYPES) {
            if (type.scope() == CounterScope.AGENT) {
                group.allocate(files, type, CounterKeys.ofGroup(number), type.label() + ": " + roleName);
            }
        }
        return group;
    }

    /** The group of something on a channel, for which there is room. */
    static CounterGroup of(
        final StatusFiles files, final CounterScope scope, final CounterKey key, final String name,
        final String channel) {
        final CounterGroup group = new CounterGroup(scope);
        for (final CounterType type : TYPES) {
            if (type.scope() == scope) {
                group.allocate(files, type, key, CounterLabels.of(type, key, name, channel));
            }
        }
        return group;
    }

    /** The group of something for which there is no room. */
    static CounterGroup empty(final CounterScope scope) {
        return new CounterGroup(scope);
    }

    private void allocate(
        final StatusFiles files, final CounterType type, final CounterKey key, final String label) {
        counters[type.ordinal()] = files.allocate(type, key, label);
        isEmpty = false;
    }

    CounterScope scope() {
        return scope;
    }

    /** The group without counters. */
    boolean isEmpty() {
        return isEmpty;
    }

    void set(final CounterType type, final long value) {
        final AtomicCounter counter = counters[type.ordinal()];
        if (counter != null) {
            counter.setRelease(value);
        }
    }

    void seenInRefresh(final long refresh) {
        seenInRefresh = refresh;
    }

    long seenInRefresh() {
        return seenInRefresh;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(counters);
    }
}
