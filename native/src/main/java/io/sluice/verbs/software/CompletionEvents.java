package io.sluice.verbs.software;

import io.sluice.verbs.CompletionQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;

/** The events of one completion queue: arming it, what peers then announce on its channel, and acknowledging. */
final class CompletionEvents {
    private static final VarHandle GUARD;

    static {
        try {
            GUARD = MethodHandles.lookup().findVarHandle(CompletionEvents.class, "guard", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PolledCompletionQueue queue;
    private final int number;
    private final SoftwareCompletionChannel channel;
    private final long armedWord;
    private final AtomicLong unacknowledged = new AtomicLong();
    private final AtomicBoolean isAnnounced = new AtomicBoolean();
    private volatile boolean isAcknowledged;
    private int guard;

    CompletionEvents(
        final PolledCompletionQueue queue, final int number, final SoftwareCompletionChannel channel, final long file) {
        this.queue = queue;
        this.number = number;
        this.channel = channel;
        armedWord = file + CompletionQueueLayout.ARMED_OFFSET;
    }

    /** Arm, unless the queue is closed; a queue that is armed for every completion stays so. */
    boolean arm(final boolean isSolicitedOnly) {
        GUARD.setOpaque(this, 1);
        try {
            if (!queue.isAlive()) {
                return false;
            }
            if (channel != null
                && !(isSolicitedOnly && UnsafeApi.getInt(armedWord) == CompletionQueueLayout.ARMED)) {
                UnsafeApi.putIntVolatile(null, armedWord,
                    isSolicitedOnly ? CompletionQueueLayout.ARMED_SOLICITED : CompletionQueueLayout.ARMED);
                UnsafeApi.fullFence();
            }
            return true;
        } finally {
            GUARD.setRelease(this, 0);
        }
    }

    /** Any thread: announces that the armed queue has a completion. */
    void announce() {
        if (channel != null && isAnnounced.compareAndSet(false, true)) {
            channel.announce(this);
        }
    }

    /** Channel: takes the event, to hand it out; false when it is of no interest any more. */
    boolean take() {
        isAnnounced.set(false);
        if (queue.isClosed()) {
            return false;
        }
        unacknowledged.incrementAndGet();
        return true;
    }

    /**
     * Takes all events as acknowledged, as the device goes: who acknowledges later what it has taken before does
     * nothing.
     */
    void acknowledgeAll() {
        isAcknowledged = true;
    }

    void acknowledge(final int count) {
        long max;
        do {
            max = unacknowledged.get();
            if (count < 1 || count > max) {
                throw new IllegalArgumentException(
                    "count=" + count + " must be from 1 to the events not acknowledged: " + max);
            }
        } while (!unacknowledged.compareAndSet(max, max - count));
    }

    long unacknowledged() {
        return isAcknowledged ? 0 : unacknowledged.get();
    }

    SoftwareCompletionChannel channel() {
        return channel;
    }

    /** The queue whose events these are. */
    CompletionQueue queue() {
        return queue;
    }

    /** The queue's number. */
    int number() {
        return number;
    }

    /** Set-up: opens the way for peers to announce the queue on its channel. */
    void open() {
        if (channel != null) {
            channel.add(this);
        }
    }

    /** Ends the time in which peers may announce the queue. */
    void close() {
        if (channel != null) {
            channel.remove(this);
        }
    }

    /** Whether a thread is arming. */
    boolean isBusy() {
        return (int) GUARD.getAcquire(this) != 0;
    }
}
