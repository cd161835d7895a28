package io.sluice.transport.receive;

import io.sluice.environment.Environment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * The consumers of a ring that leave their cores until somebody moves on: the poller, or a consumer that they wait for.
 * One word tells whoever moves on whether any of them sleeps; nothing else is in its lines.
 * <p>
 * A message that meets a consumer on its way to sleep must find the word set, or the consumer's last look must find the
 * message. Consumers that are {@code blocking} sleep after 50 microseconds, often, so a full fence is passed by whoever
 * moves on. The others rest once there was no message for a second, and nobody pays for a fence: they sleep for 10 ms
 * first, in which all that processors still hold back is written, and look once more before they sleep for longer.
 * <p>
 * The thread that adds a subscription makes it; any thread that moves on wakes.
 */
public final class RingSleepers {
    /** The words before and behind the one that is read all the time: processors fetch pairs of lines. */
    private static final int PADDING_WORDS = 16;
    private static final int ASLEEP = PADDING_WORDS;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words = new long[2 * PADDING_WORDS];
    private final boolean areFenced;
    private final Environment environment;
    private ConsumerSleep[] consumers = {};

    /**
     * Creates a ring without consumers.
     *
     * @param areFenced   whether they are {@code blocking}.
     * @param environment to park in.
     */
    public RingSleepers(final boolean areFenced, final Environment environment) {
        this.areFenced = areFenced;
        this.environment = environment;
    }

    /**
     * Adds a consumer that is awake. Before anybody moves on.
     *
     * @param before      what it does until it rests.
     * @param isResting   asked by its thread: whether it rests by now.
     * @param isWaitedFor whether other consumers wait for this one.
     * @return the way in which it sleeps, for its thread.
     */
    public ConsumerSleep add(
        final IdleStrategy before, final BooleanSupplier isResting, final boolean isWaitedFor) {
        consumers = Arrays.copyOf(consumers, consumers.length + 1);
        final ConsumerSleep added = new ConsumerSleep(this, before, isResting, isWaitedFor, environment);
        consumers[consumers.length - 1] = added;
        return added;
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
