package io.sluice.transport.connection;

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
    boolean memoryCompletion) {
}
