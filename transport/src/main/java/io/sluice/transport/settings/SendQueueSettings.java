package io.sluice.transport.settings;

/**
 * The use of a link's send queue. Immutable; any thread.
 *
 * @param length         slots of each link.
 * @param signalInterval at least every n-th write is signalled, so that its slot is known to be free.
 */
public record SendQueueSettings(int length, int signalInterval) {
}
