package io.sluice.transport.counters;

import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import org.agrona.MutableDirectBuffer;

/**
 * Makes the keys of counters, and writes them. Any thread.
 */
public final class CounterKeys {
    private CounterKeys() {
    }

    /**
     * The key of something that has only a group.
     *
     * @param group unique in the transport for its scope.
     * @return the key.
     */
    public static CounterKey ofGroup(final long group) {
        return new CounterKey(group, 0, 0, 0, 0, 0, 0);
    }

    /**
     * The key of a publication.
     *
     * @param group     unique in the transport for its scope.
     * @param streamId  of the publication.
     * @param sessionId of the publication.
     * @return the key.
     */
    public static CounterKey ofPublication(final long group, final int streamId, final int sessionId) {
        return new CounterKey(group, streamId, sessionId, 0, 0, 0, 0);
    }

    /**
     * The key of a subscription, its ring or one of its consumers.
     *
     * @param group          unique in the transport for its scope.
     * @param streamId       of the subscription.
     * @param subscriptionId of the subscription.
     * @return the key.
     */
    public static CounterKey ofSubscription(final long group, final int streamId, final long subscriptionId) {
        return new CounterKey(group, streamId, 0, 0, 0, 0, subscriptionId);
    }

    static void write(final CounterKey key, final MutableDirectBuffer buffer) {
        buffer.putLong(StatusLayout.KEY_GROUP_OFFSET, key.group());
        buffer.putInt(StatusLayout.KEY_STREAM_ID_OFFSET, key.streamId());
        buffer.putInt(StatusLayout.KEY_SESSION_ID_OFFSET, key.sessionId());
        buffer.putLong(StatusLayout.KEY_LINK_ID_OFFSET, key.linkId());
        buffer.putLong(StatusLayout.KEY_PUBLISHER_HIGH_OFFSET, key.publisherHigh());
        buffer.putLong(StatusLayout.KEY_PUBLISHER_LOW_OFFSET, key.publisherLow());
        buffer.putLong(StatusLayout.KEY_SUBSCRIPTION_ID_OFFSET, key.subscriptionId());
    }
}
