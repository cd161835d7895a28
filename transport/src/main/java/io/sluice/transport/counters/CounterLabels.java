package io.sluice.transport.counters;

import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;

/**
 * Makes the labels of counters, which {@link io.sluice.transport.status.CounterReading} takes apart. Any thread.
 */
public final class CounterLabels {
    private static final int MAX_NAME_LENGTH = 80;

    private CounterLabels() {
    }

    /**
     * The label of a counter of something on a channel.
     *
     * @param type    of the counter.
     * @param key     whose it is.
     * @param name    of links and images the peer's, of consumers and what they handle their own; else null.
     * @param channel as added.
     * @return the whole label.
     */
    public static String of(
        final CounterType type, final CounterKey key, final String name, final String channel) {
        final CounterScope scope = type.scope();
        final boolean isLatency = scope == CounterScope.LATENCY;
        final String field = isLatency || scope == CounterScope.CONSUMER
            ? StatusLayout.CONSUMER_FIELD : StatusLayout.PEER_FIELD;
        return type.label() + ": stream=" + key.streamId()
            + (scope.hasSession() ? " session=" + key.sessionId() : "")
            + (isLatency ? StatusLayout.STAGE_FIELD + (name == null ? StatusLayout.ARRIVED : StatusLayout.HANDLED) : "")
            + (name == null ? "" : field + shortened(name))
            + StatusLayout.CHANNEL_FIELD + channel;
    }

    /** A name that is no field of its own and leaves room for the channel. */
    private static String shortened(final String name) {
        return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH)).replace('=', '~');
    }
}
