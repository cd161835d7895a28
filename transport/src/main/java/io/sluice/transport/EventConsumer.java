package io.sluice.transport;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.receive.ConsumerProgress;
import io.sluice.transport.receive.ConsumerSleep;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.HeldEvent;
import io.sluice.transport.receive.RingHead;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.transport.stream.GatingConsumer;
import io.sluice.transport.stream.SubscriptionEnd;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Takes messages from a subscription's ring for one handler of a graph, behind the handlers that it waits for. Its
 * sequence gates the poller until it has left: when its subscription is closed, when its thread ends without that, or
 * when a handler that it waits for has left. Whatever handlers and error handlers throw, it goes on behind the message,
 * but for an interrupt, which ends it. One thread, that of its agent.
 */
final class EventConsumer implements Agent, MessageEvent.Holder {
    /** Events between two moves of the sequence, so that a publisher gets bytes back while a backlog is handled. */
    private static final int MAX_BATCH = 256;

    private final SubscriptionEnd state;
    private final String name;
    private final MessageEventHandler handler;
    private final ErrorHandler errorHandler;
    private final ConsumerSleep sleep;
    private final EventRing eventRing;
    private final RingHead head;
    private final RingBuffer<EventSlot> ring;
    private final EntryGuard guard;
    private final Sequence[] sequences;
    private final Sequence sequence;
    private final Sequence[] predecessors;
    private final ConsumerProgress progress;
    /** The consumer's own copy of the event that it is at; null when the consumer is never evicted. */
    private final HeldEvent held;
    private final MessageEvent event;
    /**
     * Whether the consumer may read the first frame of a batch ahead. One that has waited for the poller has passed
     * nothing of the last batch, so the memory of that frame is there; one that waits for another handler, or may be
     * evicted, cannot know that.
     */
    private final boolean readsAhead;
    private boolean waits;
    private long touched;
    private long oldest;
    private boolean interrupted;
    private volatile boolean ended;

    /**
     * Creates a consumer; its sequence and those of the handlers that it waits for are among those of the graph. It may
     * have a way to sleep, else that is null.
     */
    EventConsumer(
        final SubscriptionEnd state,
        final HandlerGraph.Node node,
        final Sequence[] sequences,
        final ConsumerSleep sleep,
        final ErrorHandler errorHandler) {
        this.state = state;
        this.sleep = sleep;
        this.errorHandler = errorHandler;
        this.sequences = sequences;
        name = node.name();
        handler = node.handler();
        eventRing = state.eventRing();
        ring = eventRing.ring();
        head = eventRing.head();
        sequence = sequences[node.index()];
        predecessors = node.predecessors().stream().map(other -> sequences[other.index()]).toArray(Sequence[]::new);
        final GatingConsumer shared = state.consumers().add(
            name, sequence, node.predecessors().stream().map(HandlerGraph.Node::index));
        guard = shared.guard();
        progress = shared.progress();
        held = shared.held();
        readsAhead = held == null && predecessors.length == 0;
        event = new MessageEvent(this, ring, held == null ? null : held.event());
    }

    @Override
    public void onStart() {
        progress.begin();
        guard.enter();
        try {
            handler.onStart();
        } catch (final Throwable ex) {
            onHandlerError(ex);
        } finally {
            guard.leave();
        }
    }

    @Override
    public int doWork() {
        guard.enter();
        try {
            if (sleep != null) {
                sleep.onLook();
            }
            if (state.isClosed() || interrupted || sequence.get() == EventRing.LEFT) {
                throw new AgentTerminationException(true);
            }
            if (progress.isEvicted()) {
                leave("it was too slow, or a handler that it waits for, and was evicted");
                return 0;
            }
            final long available = available();
            if (available == EventRing.LEFT) {
                leave("a handler that it waits for has left");
                return 0;
            }
            final long first = sequence.get() + 1;
            if (available < first) {
                waits = true;
                return 0;
            }
            if (waits) {
                waits = false;
                touched += readsAhead ? head.touchFrame() : 0;
            }
            return handle(first, available);
        } finally {
            guard.leave();
        }
    }

    /** The last event that can be handled; {@link EventRing#LEFT} when it will never be known again. */
    private long available() {
        long minimum = head.published();
        for (final Sequence predecessor : predecessors) {
            final long passed = predecessor.get();
            if (passed == EventRing.LEFT) {
                return EventRing.LEFT;
            }
            minimum = Math.min(minimum, passed);
        }
        return minimum;
    }

    private int handle(final long first, final long available) {
        final long last = Math.min(available, first + MAX_BATCH - 1);
        long next = first;
        oldest = first;
        try {
            startBatch(last - first + 1, available - first + 1);
            while (next <= last && !state.isClosed() && !interrupted) {
                final long current = next++;
                final EventSlot slot = held == null ? ring.get(current) : held.take(ring.get(current));
                if (slot == null) {
                    next = current;
                    break;
                }
                handle(slot, current, current == last);
            }
        } finally {
            event.unwrap();
            progress.endBatch();
            release(next - 1);
        }
        return (int) (next - first);
    }

    private void startBatch(final long batchSize, final long queueDepth) {
        try {
            handler.onBatchStart(batchSize, queueDepth);
        } catch (final Throwable ex) {
            onHandlerError(ex);
        }
    }

    private void handle(final EventSlot slot, final long current, final boolean endOfBatch) {
        final ImageView view = ImageView.of(slot);
        if (view.isOverwritten(slot)) {
            progress.onHandled(current);
            return;
        }
        final long offeredNs = progress.offeredNs(slot);
        try {
            event.wrap(slot, current);
            handler.onEvent(event, current, endOfBatch);
            progress.onMeasured(offeredNs);
        } catch (final InterruptedException ex) {
            // whoever interrupts the thread wants it to end: going on would fail every message that blocks
            interrupted = true;
            Thread.currentThread().interrupt();
            onEventError(ex, offeredNs);
        } catch (final Throwable ex) {
            onEventError(ex, offeredNs);
        }
        progress.onHandled(current);
        if (current >= oldest) {
            view.checkIntact(slot);
        }
    }

    /** Measures what was handled so far, before the error handler takes its time. */
    private void onEventError(final Throwable error, final long offeredNs) {
        progress.onMeasured(offeredNs);
        progress.endBatch();
        onHandlerError(error);
    }

    private void onHandlerError(final Throwable error) {
        progress.onError();
        tell(error);
    }

    /**
     * Tells the application's error handler; what that throws itself goes where the thread's uncaught exceptions go.
     */
    private void tell(final Throwable error) {
        try {
            errorHandler.onError(error);
        } catch (final Throwable ex) {
            if (ex != error) {
                ex.addSuppressed(error);
            }
            final Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
        }
    }

    /** Releases the message that the handler is done with before its return. */
    @Override
    public void releaseEarly(final long current) {
        final EventSlot slot = held == null ? ring.get(current) : held.event();
        try {
            ImageView.of(slot).checkIntact(slot);
        } finally {
            release(current);
        }
    }

    /** Releases events up to one, which the handler does not touch any more. */
    private void release(final long through) {
        if (through >= oldest) {
            if (held == null) {
                sequence.set(through);
            } else {
                // it may have been evicted meanwhile, and the ring gone on without it
                sequence.compareAndSet(oldest - 1, through);
            }
            oldest = through + 1;
            wakeOthers();
        }
    }

    /** Wakes those who wait for this consumer. */
    private void wakeOthers() {
        if (sleep != null) {
            sleep.wakeOthers();
        }
    }

    @Override
    public long published() {
        return head.published();
    }

    /**
     * Leaves the ring, so that this consumer gates nothing any more. A subscription that nobody consumes is closed, so
     * that its publishers know. First comes what cannot fail: there may be no memory for the rest.
     */
    private void leave(final String reason) {
        // volatile: of two that leave at the same time at least one must see that the other one has left
        sequence.setVolatile(EventRing.LEFT);
        wakeOthers();
        boolean last = true;
        for (final Sequence other : sequences) {
            last &= other.get() == EventRing.LEFT;
        }
        if (last) {
            state.close();
        }
        tell(new TransportException(ErrorKind.CONSUMER_LEFT, "consumer left: name=" + roleName() + " reason=" + reason
            + (last ? "; it was the last one, so its subscription is closed" : "")));
    }

    @Override
    public void onClose() {
        progress.end();
        try {
            if (!state.isClosed() && sequence.get() != EventRing.LEFT) {
                leave(interrupted ? "its thread was interrupted" : "its thread has ended");
            }
        } finally {
            shutDown();
            if (sleep != null) {
                // nobody is to wake a thread that has ended, batch after batch
                sleep.reset();
            }
            ended = true;
        }
    }

    private void shutDown() {
        guard.enter();
        try {
            handler.onShutdown();
        } catch (final Throwable ex) {
            onHandlerError(ex);
        } finally {
            guard.leave();
        }
    }

    /** The way in which the consumer sleeps, or null. */
    ConsumerSleep sleep() {
        return sleep;
    }

    /** Whether the consumer is not in its handler now. Any thread. */
    boolean isOutside() {
        return guard.hasLeftSince(guard.snapshot());
    }

    /** Whether the consumer's thread has nothing more to do. Any thread. */
    boolean hasEnded() {
        return ended;
    }

    @Override
    public String roleName() {
        return "sluice-consumer-" + state.streamId() + "-" + name;
    }
}
