package io.sluice.transport;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.transport.ControlledMessageHandler.Action;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.EventSlot;
import org.agrona.ErrorHandler;

/**
 * Takes messages from a subscription's ring: the consumer behind {@link Subscription#poll} in DEDICATED mode. Its
 * sequence gates the poller, so that no bytes are reused under a handler. One thread.
 */
final class EventPoller {
    private final RingBuffer<EventSlot> ring;
    private final Sequence sequence;
    private final ErrorHandler errorHandler;

    EventPoller(final EventRing eventRing, final ErrorHandler errorHandler) {
        ring = eventRing.ring();
        sequence = eventRing.consumerSequence();
        this.errorHandler = errorHandler;
    }

    int poll(final MessageHandler handler, final int messageLimit) {
        long next = sequence.get() + 1;
        final long end = Math.min(ring.getCursor() + 1, next + messageLimit);
        final long first = next;
        try {
            while (next < end) {
                final EventSlot event = ring.get(next++);
                ((Image) event.link().view()).deliver(event, handler);
            }
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        } finally {
            if (next > first) {
                checkIntact(first);
                sequence.set(next - 1);
            }
        }
        return (int) (next - first);
    }

    private void checkIntact(final long eventSequence) {
        final EventSlot event = ring.get(eventSequence);
        ((Image) event.link().view()).checkIntact(event);
    }

    int controlledPoll(final ControlledMessageHandler handler, final int messageLimit) {
        long next = sequence.get() + 1;
        final long end = Math.min(ring.getCursor() + 1, next + messageLimit);
        final long start = next;
        long first = next;
        try {
            Action action = Action.CONTINUE;
            while (next < end && action != Action.BREAK) {
                final EventSlot event = ring.get(next++);
                action = ((Image) event.link().view()).deliverControlled(event, handler);
                if (action == Action.ABORT) {
                    next--;
                    break;
                }
                if (action == Action.COMMIT) {
                    // from here on the bytes may rightly be reused
                    checkIntact(first);
                    first = next;
                    sequence.set(next - 1);
                }
            }
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        } finally {
            if (next > first) {
                checkIntact(first);
                sequence.set(next - 1);
            }
        }
        return (int) (next - start);
    }
}
