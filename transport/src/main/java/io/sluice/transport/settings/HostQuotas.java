package io.sluice.transport.settings;

/**
 * The share of a transport that all transports of one host may take together. Immutable; any thread.
 *
 * @param sessions      control connections that the host has opened.
 * @param subscriptions that its transports have announced.
 * @param links         of publications and of subscriptions each.
 * @param ringLength    bytes of receive rings.
 * @param logLength     bytes of logs that are registered for links with its transports, once for each link.
 */
public record HostQuotas(int sessions, int subscriptions, int links, long ringLength, long logLength) {
}
