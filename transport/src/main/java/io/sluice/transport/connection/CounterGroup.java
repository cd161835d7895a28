package io.sluice.transport.connection;

import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusFiles;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The counters of one publication, link, subscription, image, ring, consumer or agent. Conductor only. A group for
 * which there was no room is empty and takes no values.
 */
final class CounterGroup implements AutoCloseable {
    private static final CounterType[] TYPES = CounterType.values();

    private final AtomicCounter[] counters = new AtomicCounter[TYPES.length];
    private long seenInRefresh;

    private CounterGroup() {
    }

    /** The group of an agent. */
    static CounterGroup ofAgent(final StatusFiles files, final long number, final String roleName) {
        final CounterGroup group = new CounterGroup();
        for (final CounterType type : TYPES) {
            if (type.scope() == CounterScope.AGENT) {
                group.counters[type.ordinal()] =
                    files.allocate(type, CounterKey.of(number), type.label() + ": " + roleName);
            }
        }
        return group;
    }

    /** The group of something on a channel, empty when there is no room. */
    static CounterGroup of(
        final StatusFiles files, final CounterScope scope, final CounterKey key, final String name,
        final String channel) {
        final CounterGroup group = new CounterGroup();
        if (files.available() >= TYPES.length) {
            for (final CounterType type : TYPES) {
                if (type.scope() == scope) {
                    group.counters[type.ordinal()] =
                        files.allocate(type, key, CounterReading.label(type, key, name, channel));
                }
            }
        }
        return group;
    }

    /** The group without counters. */
    boolean isEmpty() {
        for (final AtomicCounter counter : counters) {
            if (counter != null) {
                return false;
            }
        }
        return true;
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
