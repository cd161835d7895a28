package io.sluice.transport.receive;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.transport.carrier.NextStep;
import org.agrona.ErrorHandler;

/**
 * Takes messages from a subscription's ring: the consumer behind {@code Subscription.poll} in DEDICATED mode. Its
 * sequence gates the poller, so that no bytes are reused under a handler. One thread.
 */
public final class PolledConsumer {
    private static final String NAME = "poll";

    private final RingHead head;
    private final RingBuffer<EventSlot> ring;
    private final Sequence sequence;
    private final ConsumerProgress progress;
    private final ErrorHandler errorHandler;
    private boolean waits;
    private long touched;

    /**
     * A consumer that has passed nothing.
     *
     * @param eventRing    to take events from.
     * @param isOnlyOne    whether it takes the messages, which no graph of handlers takes.
     * @param errorHandler told of what handlers throw.
     */
    public PolledConsumer(final EventRing eventRing, final boolean isOnlyOne, final ErrorHandler errorHandler) {
        head = eventRing.head();
        ring = eventRing.ring();
        sequence = eventRing.consumerSequence();
        this.errorHandler = errorHandler;
        progress = new ConsumerProgress(NAME, sequence, isOnlyOne ? eventRing.times() : MessageTimes.none());
    }

    /** {@return the consumer's progress, for others to look at} */
    public ConsumerProgress progress() {
        return progress;
    }

    /**
     * Hand waiting messages to their links' views.
     *
     * @param messageLimit messages to handle at most.
     * @return messages handled, an aborted one not counted.
     */
    public int poll(final int messageLimit) {
        final long start = sequence.get() + 1;
        final long end = end(start, messageLimit);
        long first = start;
        long next = start;
        long offeredNs = EventSlot.NOT_STAMPED;
        try {
            NextStep step = NextStep.CONTINUE;
            while (next < end && step != NextStep.BREAK) {
                final EventSlot event = ring.get(next++);
                offeredNs = progress.offeredNs(event);
                step = event.view().onEvent(event);
                if (step == NextStep.ABORT) {
                    next--;
                    break;
                }
                progress.onMeasured(offeredNs);
                if (step == NextStep.COMMIT) {
                    final long committed = first;
                    first = next;
                    release(committed, next);
                }
            }
        } catch (final Throwable ex) {
            progress.onError();
            progress.onMeasured(offeredNs);
            progress.endBatch();
            errorHandler.onError(ex);
        } finally {
            progress.endBatch();
            release(first, next);
        }
        return (int) (next - start);
    }

    /** Sequence behind the last event to be handled now. */
    private long end(final long next, final int messageLimit) {
        final long published = head.published();
        if (published < next) {
            waits = true;
            return next;
        }
        if (waits) {
            waits = false;
            touched += head.touchFrame();
        }
        return Math.min(published + 1, next + messageLimit);
    }

    /** Be done with events from one on, up to but not with another. */
    private void release(final long first, final long end) {
        if (end > first) {
            progress.onHandled(end - 1);
            publishPositions(first, end);
            sequence.set(end - 1);
        }
    }

    /**
     * Publishes each link's position once for a run of its events, before the sequence: then slots are the poller's.
     */
    private void publishPositions(final long first, final long end) {
        MessageView view = ring.get(first).view();
        long position = 0;
        for (long i = first; i < end; i++) {
            final EventSlot event = ring.get(i);
            if (event.view() != view) {
                view.onPolled(position);
                view = event.view();
            }
            position = event.endPosition();
        }
        view.onPolled(position);
    }
}
