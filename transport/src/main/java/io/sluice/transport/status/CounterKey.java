package io.sluice.transport.status;

import io.sluice.transport.layout.StatusLayout;
import org.agrona.DirectBuffer;

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
    /** The key that lies at an offset of the counters file. */
    static CounterKey read(final DirectBuffer buffer, final int offset) {
        return new CounterKey(
            buffer.getLong(offset + StatusLayout.KEY_GROUP_OFFSET),
            buffer.getInt(offset + StatusLayout.KEY_STREAM_ID_OFFSET),
            buffer.getInt(offset + StatusLayout.KEY_SESSION_ID_OFFSET),
            buffer.getLong(offset + StatusLayout.KEY_LINK_ID_OFFSET),
            buffer.getLong(offset + StatusLayout.KEY_PUBLISHER_HIGH_OFFSET),
            buffer.getLong(offset + StatusLayout.KEY_PUBLISHER_LOW_OFFSET),
            buffer.getLong(offset + StatusLayout.KEY_SUBSCRIPTION_ID_OFFSET));
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
