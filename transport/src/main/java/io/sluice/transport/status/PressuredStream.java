package io.sluice.transport.status;

/**
 * The side of a stream that a {@link BackPressure} tells of. A publication and a subscription of one transport may both
 * tell of one state: each is held up, or holds up, on its own side of the same stream. Immutable; any thread.
 *
 * @param side      whether a publication is held up, or a subscription holds publications up.
 * @param channel   of the publication or subscription, as it was added.
 * @param streamId  of the publication or subscription.
 * @param sessionId of the publication, or of the image that is furthest behind; 0 when there is no image.
 */
public record PressuredStream(Side side, String channel, int streamId, int sessionId) {
    /** The two sides of a stream. */
    public enum Side {
        /** A publication, which is held up. */
        PUBLICATION,
        /** A subscription, which holds its publications up. */
        SUBSCRIPTION
    }
}
