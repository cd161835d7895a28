package io.sluice.transport.stream;

import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.FlowControl;

/**
 * The options that a publication was added with. Immutable; any thread.
 *
 * @param channel        its text.
 * @param party          who meets subscriptions where this publication is.
 * @param streamId       within the channel.
 * @param session        that tells it from others of its channel and stream id.
 * @param log            its send log.
 * @param writesInFlight per link, at most.
 * @param lingerNs       how long it goes on delivering after it was closed.
 * @param flowControl    which links it waits for.
 */
public record PublicationOptions(
    String channel,
    Medium.Party party,
    int streamId,
    SessionChoice session,
    LogOptions log,
    int writesInFlight,
    long lingerNs,
    FlowControl flowControl) {
    /**
     * Returns these options, as added with another channel's text.
     *
     * @param other       with that text, and a session that is named or drawn as it is there.
     * @param ofSessionId that the channel of these options names, or else that of the others.
     * @return options that are equal to the others if they ask for the same.
     */
    public PublicationOptions as(final PublicationOptions other, final int ofSessionId) {
        return new PublicationOptions(other.channel, party, streamId,
            new SessionChoice(ofSessionId, other.session.named()), log, writesInFlight, lingerNs, flowControl);
    }
}
