package io.sluice.transport.status;

/**
 * The news that a peer which subscribes has taken out a consumer because it held others up for too long. The
 * publication is told of it, as the peer says it. Immutable; any thread.
 *
 * @param consumer    name of the consumer.
 * @param peer        where it was, for people: process or address, and client name.
 * @param streamId    of the publication.
 * @param sessionId   of the publication.
 * @param bytesBehind of the publication's stream that the consumer's subscription had yet to consume.
 * @param text        more about it, for people.
 */
public record PeerEviction(
    String consumer, String peer, int streamId, int sessionId, long bytesBehind, String text) {
}
