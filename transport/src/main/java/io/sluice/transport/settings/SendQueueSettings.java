package io.sluice.transport.settings;

/**
 * How the send queue of a link is used.
 *
 * @param length         slots of each link.
 * @param signalInterval at least every n-th write is signalled, so that its slot is known to be free.
 */
public record SendQueueSettings(int length, int signalInterval) {
}
