package io.sluice.transport.stream;

import io.sluice.transport.peer.Medium;
import io.sluice.transport.send.FlowControl;

/**
 * The options that a publication was added with.
 *
 * @param channel        its text.
 * @param rendezvous     where it meets subscriptions: media and endpoint.
 * @param streamId       within the channel.
 * @param sessionId      that tells it from others of the same stream.
 * @param sessionNamed   whether the channel says it, so that it can be changed there; else it was drawn.
 * @param windowLength   bytes of its send log, a power of two.
 * @param writesInFlight per link, at most.
 * @param lingerNs       how long it goes on delivering after it was closed.
 * @param sharedLog      whether subscribers on this host may map the log.
 * @param memoryCompletion whether those may look at its frames instead of being sent completions.
 * @param flowControl    which links it waits for.
 * @param controlName    that its transport owns while it lives, or null.
 */
public record PublicationOptions(
    String channel,
    String rendezvous,
    int streamId,
    int sessionId,
    boolean sessionNamed,
    int windowLength,
    int writesInFlight,
    long lingerNs,
    boolean sharedLog,
    boolean memoryCompletion,
    FlowControl flowControl,
    String controlName) {
    /** {@return who meets subscriptions where this publication is} */
    public Medium.Party party() {
        return new Medium.Party(rendezvous, true, controlName);
    }

    /**
     * Returns these options, as added with another channel's text.
     *
     * @param other       with that text, and a session that is named or drawn as it is there.
     * @param ofSessionId that the channel of these options names, or else that of the others.
     * @return options that are equal to the others if they ask for the same.
     */
    public PublicationOptions as(final PublicationOptions other, final int ofSessionId) {
        return new PublicationOptions(other.channel, rendezvous, streamId, ofSessionId, other.sessionNamed,
            windowLength, writesInFlight, lingerNs, sharedLog, memoryCompletion, flowControl, controlName);
    }
}
