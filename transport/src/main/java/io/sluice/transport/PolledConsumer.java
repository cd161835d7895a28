package io.sluice.transport;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.transport.ControlledMessageHandler.Action;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.RingHead;
import org.agrona.ErrorHandler;

/**
 * Takes messages from a subscription's ring: the consumer behind {@link Subscription#poll} in DEDICATED mode. Its
 * sequence gates the poller, so that no bytes are reused under a handler. One thread.
 */
final class PolledConsumer {
    private static final String NAME = "poll";

    private final RingHead head;
    private final RingBuffer<EventSlot> ring;
    private final Sequence sequence;
    private final ConsumerProgress progress;
    private final ErrorHandler errorHandler;
    private boolean waits;
    private long touched;

    PolledConsumer(final EventRing eventRing, final ErrorHandler errorHandler) {
        head = eventRing.head();
        ring = eventRing.ring();
        sequence = eventRing.consumerSequence();
        this.errorHandler = errorHandler;
        progress = new ConsumerProgress(NAME, sequence);
    }

    /** How far it has come, for others to look at. */
    ConsumerProgress progress() {
        return progress;
    }

    int poll(final MessageHandler handler, final int messageLimit) {
        long next = sequence.get() + 1;
        final long end = end(next, messageLimit);
        final long first = next;
        try {
            while (next < end) {
                final EventSlot event = ring.get(next++);
                ((Image) event.view()).deliver(event, handler);
            }
        } catch (final Throwable ex) {
            progress.onError();
            errorHandler.onError(ex);
        } finally {
            release(first, next);
        }
        return (int) (next - first);
    }

    /** Behind the last event to be handled now. */
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

    /** Of each image once for a run of its events. Before the sequence: afterwards the slots are the poller's. */
    private void publishPositions(final long first, final long end) {
        Image image = (Image) ring.get(first).view();
        long position = 0;
        for (long i = first; i < end; i++) {
            final EventSlot event = ring.get(i);
            if (event.view() != image) {
                image.polled(position);
                image = (Image) event.view();
            }
            position = event.endPosition();
        }
        image.polled(position);
    }

    int controlledPoll(final ControlledMessageHandler handler, final int messageLimit) {
        long next = sequence.get() + 1;
        final long end = end(next, messageLimit);
        final long start = next;
        long first = next;
        try {
            Action action = Action.CONTINUE;
            while (next < end && action != Action.BREAK) {
                final EventSlot event = ring.get(next++);
                action = ((Image) event.view()).deliverControlled(event, handler);
                if (action == Action.ABORT) {
                    next--;
                    break;
                }
                if (action == Action.COMMIT) {
                    final long committed = first;
                    first = next;
                    release(committed, next);
                }
            }
        } catch (final Throwable ex) {
            progress.onError();
            errorHandler.onError(ex);
        } finally {
            release(first, next);
        }
        return (int) (next - start);
    }
}
