package io.sluice.transport.settings;

/**
 * The share of a transport that the peer of one control session may take. Immutable; any thread.
 *
 * @param links      of publications and of subscriptions each.
 * @param ringLength bytes of receive rings.
 * @param logLength  bytes of logs that are registered for links with that peer, once for each link.
 */
public record SessionQuotas(int links, long ringLength, long logLength) {
}
