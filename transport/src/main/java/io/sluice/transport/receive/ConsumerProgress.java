package io.sluice.transport.receive;

import com.lmax.disruptor.Sequence;
import io.sluice.transport.status.ConsumerState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The progress of one consumer of an {@link EventRing}, for others to look at. The consumer's thread writes it, with
 * one plain store for each message; any thread reads it, perhaps late.
 */
public final class ConsumerProgress {
    private static final VarHandle MESSAGES;
    private static final VarHandle ERRORS;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            MESSAGES = lookup.findVarHandle(ConsumerProgress.class, "messages", long.class);
            ERRORS = lookup.findVarHandle(ConsumerProgress.class, "errors", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final String name;
    private final Sequence sequence;
    /** The meter of its latencies; null where none are kept. */
    private final LatencyMeter meter;
    private volatile ConsumerState state = ConsumerState.NOT_STARTED;
    private volatile Thread thread;
    private volatile boolean evicted;
    private long messages;
    private long errors;

    /**
     * A consumer that has not begun.
     *
     * @param name     for people.
     * @param sequence the last event that the consumer is done with; {@link EventRing#LEFT} when it has left.
     * @param times    that are noted of the messages.
     */
    public ConsumerProgress(final String name, final Sequence sequence, final MessageTimes times) {
        this.name = name;
        this.sequence = sequence;
        meter = times.meter(name);
    }

    /** Notes that the consumer begins and will say when it {@link #end() ends}. */
    public void begin() {
        state = ConsumerState.ALIVE;
    }

    /**
     * Notes that the consumer begins and is alive as long as a thread that nobody else looks after.
     *
     * @param newThread of the consumer.
     */
    public void begin(final Thread newThread) {
        thread = newThread;
        begin();
    }

    /** Notes that the consumer takes nothing any more. */
    public void end() {
        state = ConsumerState.DEAD;
    }

    /** Tells the consumer to take nothing any more, and to leave as soon as it is back from its handler. Conductor. */
    public void evict() {
        evicted = true;
    }

    /** {@return whether the consumer was told to leave} Any thread. */
    public boolean isEvicted() {
        return evicted;
    }

    /**
     * Notes that an event was handled, or its handler threw. Consumer.
     *
     * @param eventSequence of the event; each is one message.
     */
    public void onHandled(final long eventSequence) {
        MESSAGES.setOpaque(this, eventSequence + 1);
    }

    /**
     * The time when an event was offered, for {@link #onMeasured}: before its handler, who may give the slot back.
     * Consumer.
     *
     * @param slot of the event.
     * @return nanoseconds of this host's monotonic clock; without meaning where no latencies are kept.
     */
    public long offeredNs(final EventSlot slot) {
        if (meter == null) {
            return EventSlot.NOT_STAMPED;
        }
        final long offeredNs = slot.offeredNs();
        if (offeredNs == EventSlot.NOT_STAMPED) {
            // nobody knows how long this one takes, and those before it do not wait for it
            meter.endBatch();
        }
        return offeredNs;
    }

    /**
     * Counts how long an event took that was handled just now, where latencies are kept. Consumer.
     *
     * @param offeredNs see {@link #offeredNs}.
     */
    public void onMeasured(final long offeredNs) {
        if (meter != null) {
            meter.onHandled(offeredNs);
        }
    }

    /** Notes that no more events are handled now. Consumer. */
    public void endBatch() {
        if (meter != null) {
            meter.endBatch();
        }
    }

    /** Notes that a handler threw something. Consumer. */
    public void onError() {
        ERRORS.setOpaque(this, errors + 1);
    }

    /** {@return the name of the consumer} */
    public String name() {
        return name;
    }

    /** {@return the last event that the consumer is done with, from 0; -1 before; {@link EventRing#LEFT}} */
    public long sequence() {
        return sequence.get();
    }

    /** {@return messages handled, of a batch that is not yet done too} */
    public long messages() {
        return (long) MESSAGES.getOpaque(this);
    }

    /** {@return the number of times that handlers have thrown} */
    public long errors() {
        return (long) ERRORS.getOpaque(this);
    }

    /** {@return whether the consumer takes messages} */
    public ConsumerState state() {
        if (evicted) {
            return ConsumerState.EVICTED;
        }
        final Thread known = thread;
        return sequence.get() == EventRing.LEFT || known != null && !known.isAlive() ? ConsumerState.DEAD : state;
    }
}
