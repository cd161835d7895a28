package io.sluice.samples;

import io.sluice.transport.Publication;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Offers numbered messages to one publication, as fast as it takes them or at a fixed rate. One thread runs it; any
 * thread may read the counts.
 */
final class StreamPublisher implements Runnable {
    private static final long UNCONNECTED_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Publication publication;
    private final UnsafeBuffer message;
    private final FixedRate schedule;
    private final long messageLimit;
    private final StopSignal stop;
    private final IdleStrategy idleStrategy = new BackoffIdleStrategy();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong backPressured = new AtomicLong();
    /** Whether the latest offer found no subscriber any more, or none yet. */
    private volatile boolean isUnconnected;

    /**
     * A publisher that has sent nothing.
     *
     * @param publication   to offer to; this thread's own.
     * @param messageLength in bytes, at least {@link StreamSubscriber#MIN_MESSAGE_LENGTH}.
     * @param rate          messages per second, 0 for as fast as possible.
     * @param messageLimit  messages to send.
     * @param stop          ends the loop.
     */
    StreamPublisher(
        final Publication publication, final int messageLength, final long rate, final long messageLimit,
        final StopSignal stop) {
        this.publication = publication;
        message = new UnsafeBuffer(new byte[messageLength]);
        schedule = rate == 0 ? null : new FixedRate(rate);
        this.messageLimit = messageLimit;
        this.stop = stop;
    }

    @Override
    public void run() {
        long sequence = 0;
        if (schedule != null) {
            schedule.start(System.nanoTime());
        }
        while (sequence < messageLimit && !stop.isRequested()) {
            if (schedule != null && !schedule.isDue(System.nanoTime())) {
                idleStrategy.idle();
                continue;
            }
            message.putLong(StreamSubscriber.SEQUENCE_OFFSET, sequence);
            final long result = publication.offer(message, 0, message.capacity());
            if (result > 0) {
                if (isUnconnected) {
                    isUnconnected = false;
                }
                sent.lazySet(++sequence);
                idleStrategy.reset();
                if (schedule != null) {
                    schedule.onSent(System.nanoTime());
                }
            } else {
                onRefused(result);
                if (isUnconnected && schedule != null) {
                    // The rate holds while there is a subscriber: what was due without one is not made up for.
                    schedule.start(System.nanoTime());
                }
            }
        }
    }

    /** Notes that nothing was sent. What to do about it is the application's choice; this one tries again. */
    private void onRefused(final long result) {
        if (result == Publication.NOT_CONNECTED) {
            isUnconnected = true;
            LockSupport.parkNanos(UNCONNECTED_PAUSE_NS);
        } else if (result == Publication.BACK_PRESSURED) {
            backPressured.lazySet(backPressured.get() + 1);
            idleStrategy.idle();
        } else if (result != Publication.ADMIN_ACTION) {
            throw new RunFailure("cannot publish: " + Publication.errorString(result));
        }
    }

    boolean isConnected() {
        return publication.isConnected();
    }

    /** Whether the latest offer found no subscriber: those before may have left without the latest messages. */
    boolean isUnconnected() {
        return isUnconnected;
    }

    /** Messages that were offered with success. */
    long sent() {
        return sent.get();
    }

    /** Offers that were refused because the slowest subscription is a window behind. */
    long backPressured() {
        return backPressured.get();
    }
}
