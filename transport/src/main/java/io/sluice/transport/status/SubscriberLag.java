package io.sluice.transport.status;

/**
 * The lag of one subscription behind its publication, as the conductor saw it a moment ago. Immutable; any thread.
 *
 * @param peer             who subscribes, for people: process or address, and client name.
 * @param subscriptionId   of the subscription, in the peer's numbering.
 * @param consumedPosition up to where it says that it has consumed; it may have consumed up to an eighth of the window
 *                         more, which it says when idle.
 * @param bytesBehind      of what was published, behind that position: at least what it has yet to consume, with
 *                         headers and padding.
 * @param gates            whether the publication waits for it; else it may be left behind.
 * @param consumer         name of the consumer that holds it back, as the peer says while its subscription is under
 *                         pressure; empty otherwise.
 */
public record SubscriberLag(
    String peer, long subscriptionId, long consumedPosition, long bytesBehind, boolean gates, String consumer) {
}
