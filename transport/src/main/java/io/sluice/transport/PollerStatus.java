package io.sluice.transport;

/**
 * The status of one of a transport's pollers at a moment, see {@link Transport#pollers()}. Immutable; any thread.
 *
 * @param index         of the poller, as in the channel key {@code poller}.
 * @param name          of its thread.
 * @param pinning       where the thread is pinned, and how isolated that processor is; one line for people.
 * @param idleStrategy  by name, of a poller in SPIN mode; of an object of {@link Context#idleStrategies} its alias, or
 *                      its class where it has none, as soon as the poller's thread runs.
 * @param completionMode how it learns of completions.
 * @param subscriptions assigned to it.
 */
public record PollerStatus(
    int index, String name, String pinning, String idleStrategy, CompletionMode completionMode, int subscriptions) {
}
