package io.sluice.transport.connection;

import io.sluice.transport.send.FlowControl;

/**
 * What a publication was added with.
 *
 * @param channel        its text.
 * @param rendezvous     where it meets subscriptions: media and endpoint.
 * @param streamId       within the channel.
 * @param sessionId      that tells it from others of the same stream.
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
    int windowLength,
    int writesInFlight,
    long lingerNs,
    boolean sharedLog,
    boolean memoryCompletion,
    FlowControl flowControl,
    String controlName) {
    /**
     * The same, added with another channel's text.
     *
     * @param otherChannel   its text.
     * @param otherSessionId that goes with it.
     * @return options that are equal to those of that channel if it asks for the same.
     */
    public PublicationOptions as(final String otherChannel, final int otherSessionId) {
        return new PublicationOptions(otherChannel, rendezvous, streamId, otherSessionId, windowLength, writesInFlight,
            lingerNs, sharedLog, memoryCompletion, flowControl, controlName);
    }
}
