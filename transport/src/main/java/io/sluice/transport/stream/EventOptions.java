package io.sluice.transport.stream;

/**
 * The events between a poller and a subscription's consumers, in DEDICATED mode. Immutable; any thread.
 *
 * @param ringLength        events that the ring holds, a power of two.
 * @param receiveTimestamps whether they tell when the poller took them up.
 * @param slowConsumers     what becomes of consumers that hold others up.
 */
public record EventOptions(int ringLength, boolean receiveTimestamps, SlowConsumerPolicy slowConsumers) {
}
