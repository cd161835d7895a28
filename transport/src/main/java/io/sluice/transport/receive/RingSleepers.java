package io.sluice.transport.receive;

import io.sluice.environment.Environment;
import io.sluice.transport.agent.BackoffIdleStrategy;
import io.sluice.transport.agent.IdleStrategies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The consumers of a ring that leave their cores until somebody moves on: the poller, or a consumer that they wait for.
 * Whoever moves on reads one word, which tells whether any of them sleeps; nothing else is in its lines.
 * <p>
 * A message that meets a consumer on its way to sleep must find the word set, or the consumer's last look must find the
 * message. Consumers that are {@code blocking} sleep after 50 microseconds, often, so whoever moves on passes a full
 * fence. The others rest once there was no message for a second, and nobody pays for a fence: they sleep for 10 ms
 * first, in which all that processors still hold back is written, and look once more before they sleep for longer.
 */
public final class RingSleepers {
    /** Processors fetch pairs of lines. */
    private static final int PADDING_WORDS = 16;
    private static final int ASLEEP = PADDING_WORDS;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words = new long[2 * PADDING_WORDS];
    private final boolean areFenced;
    private final ConsumerSleep[] consumers;

    /**
     * Creates consumers that are awake.
     *
     * @param waitStrategy of all of them, one that {@link IdleStrategies#isWoken}.
     * @param environment  to park in.
     * @param count        of consumers.
     */
    public RingSleepers(final String waitStrategy, final Environment environment, final int count) {
        areFenced = waitStrategy.equals(IdleStrategies.BLOCKING);
        consumers = new ConsumerSleep[count];
        Arrays.setAll(consumers, i -> new ConsumerSleep(
            this, areFenced
                ? BackoffIdleStrategy.blocking(environment)
                : (BackoffIdleStrategy) IdleStrategies.create(waitStrategy, environment), environment));
    }

    /**
     * {@return the way in which a consumer sleeps, for its thread}
     *
     * @param index of the consumer.
     */
    public ConsumerSleep of(final int index) {
        return consumers[index];
    }

    /** {@return whether whoever moves on passes a full fence before it looks who sleeps} */
    boolean areFenced() {
        return areFenced;
    }

    /** Notes that a consumer is to be woken: a full fence. The consumer's thread. */
    void onToBeWoken() {
        WORD.getAndAdd(words, ASLEEP, 1L);
    }

    /** Notes that a consumer is awake. The consumer's thread. */
    void onAwake() {
        WORD.getAndAdd(words, ASLEEP, -1L);
    }

    /** Wakes those that sleep: something has moved on before this call. Any thread. */
    public void wake() {
        if (areFenced) {
            VarHandle.fullFence();
        }
        if ((long) WORD.getAcquire(words, ASLEEP) > 0) {
            for (final ConsumerSleep consumer : consumers) {
                consumer.wake();
            }
        }
    }
}
