package io.sluice.transport.status;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The key of a counter: whose it is. In the counters file:
 * <pre>
 *    0  group                8   equal for the counters of one publication, link, subscription, image or agent
 *    8  stream id    4 | session id   4
 *   16  link id              8   of links and images, unique in the publisher's transport
 *   24  publisher's id      16   the transport's identity: a link and its image at the other end name the same
 *   40  subscription id      8   of subscriptions, their images, rings and consumers, unique in the transport
 * </pre>
 * What does not apply is 0.
 *
 * @param group          unique in the transport for its scope.
 * @param streamId       of everything but the transport and its agents.
 * @param sessionId      of publications, links and images.
 * @param linkId         of links and images.
 * @param publisherHigh  of links and images: upper half of the publisher's identity.
 * @param publisherLow   of links and images: lower half.
 * @param subscriptionId of subscriptions, images, rings and consumers.
 */
public record CounterKey(
    long group, int streamId, int sessionId, long linkId, long publisherHigh, long publisherLow, long subscriptionId) {
    private static final int GROUP_OFFSET = 0;
    private static final int STREAM_ID_OFFSET = 8;
    private static final int SESSION_ID_OFFSET = 12;
    private static final int LINK_ID_OFFSET = 16;
    private static final int PUBLISHER_HIGH_OFFSET = 24;
    private static final int PUBLISHER_LOW_OFFSET = 32;
    private static final int SUBSCRIPTION_ID_OFFSET = 40;

    /**
     * The key of something that has only a group.
     *
     * @param group unique in the transport for its scope.
     * @return the key.
     */
    public static CounterKey of(final long group) {
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

    void write(final MutableDirectBuffer buffer) {
        buffer.putLong(GROUP_OFFSET, group);
        buffer.putInt(STREAM_ID_OFFSET, streamId);
        buffer.putInt(SESSION_ID_OFFSET, sessionId);
        buffer.putLong(LINK_ID_OFFSET, linkId);
        buffer.putLong(PUBLISHER_HIGH_OFFSET, publisherHigh);
        buffer.putLong(PUBLISHER_LOW_OFFSET, publisherLow);
        buffer.putLong(SUBSCRIPTION_ID_OFFSET, subscriptionId);
    }

    static CounterKey read(final DirectBuffer buffer, final int offset) {
        return new CounterKey(
            buffer.getLong(offset + GROUP_OFFSET),
            buffer.getInt(offset + STREAM_ID_OFFSET),
            buffer.getInt(offset + SESSION_ID_OFFSET),
            buffer.getLong(offset + LINK_ID_OFFSET),
            buffer.getLong(offset + PUBLISHER_HIGH_OFFSET),
            buffer.getLong(offset + PUBLISHER_LOW_OFFSET),
            buffer.getLong(offset + SUBSCRIPTION_ID_OFFSET));
    }

    /**
     * Whether two keys name the two ends of one link.
     *
     * @param other of an image when this is a link's, or the other way round.
     * @return true when link and publisher are the same.
     */
    public boolean isSameLink(final CounterKey other) {
        return linkId == other.linkId && publisherHigh == other.publisherHigh && publisherLow == other.publisherLow;
    }
}
