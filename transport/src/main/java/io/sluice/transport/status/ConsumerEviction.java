package io.sluice.transport.status;

import java.util.List;

/**
 * The news that a consumer of a subscription's ring was taken out because it held others up for too long. Immutable;
 * any thread.
 *
 * @param consumer     name of the consumer.
 * @param dependants   names of those that wait for it, which were taken out with it.
 * @param streamId     of the subscription.
 * @param eventsBehind on the ring that it had yet to pass.
 * @param slowNs       for how long it was too far behind.
 */
public record ConsumerEviction(
    String consumer, List<String> dependants, int streamId, long eventsBehind, long slowNs) {
}
