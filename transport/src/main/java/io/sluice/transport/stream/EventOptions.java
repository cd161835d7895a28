package io.sluice.transport.stream;

import io.sluice.environment.Environment;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.MessageTimes;
import java.util.function.LongSupplier;

/**
 * The events between a poller and a subscription's consumers, in DEDICATED mode, and the times that are noted of
 * messages. Immutable; any thread.
 *
 * @param ringLength        events that the ring holds, a power of two.
 * @param receiveTimestamps whether they tell when the poller took them up.
 * @param latency           whether the subscription keeps the latencies of messages with timestamps, in both modes.
 * @param slowConsumers     what becomes of consumers that hold others up.
 */
public record EventOptions(
    int ringLength, boolean receiveTimestamps, boolean latency, SlowConsumerPolicy slowConsumers) {
    /** {@return new times of messages, by the clocks of an environment} */
    MessageTimes newTimes(final Environment environment) {
        final LongSupplier receiveClock = receiveTimestamps ? environment::epochNs : () -> EventSlot.NO_TIMESTAMP;
        return latency ? MessageTimes.withLatency(receiveClock, environment::nanoTime)
            : MessageTimes.withoutLatency(receiveClock);
    }
}
