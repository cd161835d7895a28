package io.sluice.transport.flight;

import io.sluice.transport.status.PressuredStream;

/**
 * The name of one end of a link, as events tell it. Immutable; any thread.
 *
 * @param side      which end.
 * @param channel   of the publication or subscription, as it was added.
 * @param streamId  within the channel.
 * @param sessionId of the publication.
 * @param peer      at the other end, for people.
 * @param linkId    by which the publishing transport knows the link.
 */
public record LinkName(
    PressuredStream.Side side, String channel, int streamId, int sessionId, String peer, long linkId) {
}
