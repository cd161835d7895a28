package io.sluice.transport.stream;

import io.sluice.transport.receive.CompletionEventChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.CloseHelper;

/**
 * A completion queue that always has room for everything that its queue pairs may have outstanding, so that it cannot
 * overrun. What a queue pair may have outstanding is reckoned with from when it is made until it has been destroyed and
 * whoever polls the queue has drained what it left there. Should the queue overrun all the same, because the device has
 * less room than it says, another one takes its place: the next set-up makes it, and the one that is dead goes when the
 * last queue pair on it is gone; so it is with one that was closed because the device was away. Created by any
 * thread, then used on the set-up thread, but for {@link #queue()} and {@link #onOverrun}; the queue itself is polled
 * elsewhere.
 */
final class CompletionBudget implements AutoCloseable {
    /** Queue pairs that the queue has room for at the start, four links in two epochs each; more make it grow. */
    private static final int INITIAL_QUEUE_PAIRS = 8;

    /** Queue pairs that there is room for where the device resizes no queue: 128 links; an entry has some 64 bytes. */
    private static final int FIXED_QUEUE_PAIRS = 256;

    /** Has the thread that polls the queue drain it. */
    @FunctionalInterface
    interface Drainer {
        /** Drain what waits in the queue now, and say so then; any thread. */
        void drain(Runnable drained);
    }

    private final RdmaDevice device;
    private final int fields;
    private final CompletionEventChannel eventChannel;
    private final int completionsPerQueuePair;
    private final Set<QueuePair> held = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<CompletionQueue> dead = new ArrayList<>();
    private Consumer<CompletionQueue> whenReplaced = replacement -> { };
    private Drainer drainer = Runnable::run;
    private Consumer<Runnable> setup = Runnable::run;
    /** Queue pairs that were destroyed, and may have left completions in the queue. */
    private int undrained;
    /** The room of the queue, as it was granted; not asked of one that the device's absence has closed. */
    private int capacity;
    private volatile CompletionQueue queue;
    private volatile boolean hasOverrun;

    CompletionBudget(final RdmaDevice device, final int fields, final int completionsPerQueuePair) {
        this(device, fields, completionsPerQueuePair, null);
    }

    /** Creates a budget whose queue announces completions on a poller's channel, or nowhere when that is null. */
    CompletionBudget(
        final RdmaDevice device, final int fields, final int completionsPerQueuePair,
        final CompletionEventChannel eventChannel) {
        this.device = device;
        this.fields = fields;
        this.completionsPerQueuePair = completionsPerQueuePair;
        this.eventChannel = eventChannel;
        final DeviceAttributes attributes = device.attributes();
        final long queuePairs = attributes.completionQueueResizing() ? INITIAL_QUEUE_PAIRS : FIXED_QUEUE_PAIRS;
        // a device may have no queue with room for so many, and one for fewer
        queue = create(
            (int) Math.min(queuePairs * completionsPerQueuePair, attributes.maxCompletionQueueEntries()));
        capacity = queue.capacity();
    }

    private CompletionQueue create(final int capacity) {
        return eventChannel == null
            ? device.createCompletionQueue(new CompletionQueueAttributes(capacity, fields, null))
            : eventChannel.createQueue(capacity, fields);
    }

    /**
     * Sets the listener, for whoever polls the queue: it is told of another one, on the set-up thread, before a link
     * completes there. Before use.
     */
    void whenReplaced(final Consumer<CompletionQueue> listener) {
        whenReplaced = listener;
    }

    /** Sets the drainer of the queue, and what runs tasks on the set-up thread from any other. Before use. */
    void drainedBy(final Drainer newDrainer, final Consumer<Runnable> newSetup) {
        drainer = newDrainer;
        setup = newSetup;
    }

    /**
     * Make room for one more queue pair, to be made next, beside some that others are to have again.
     *
     * @param toResume broken links, whose queue pairs are destroyed or about to be.
     * @throws VerbsException with the numbers, when the device has no queue with so much room or cannot resize it.
     */
    CompletionQueue reserve(final int toResume) {
        closeDead();
        final int max = device.attributes().maxCompletionQueueEntries();
        if (hasOverrun) {
            replace((int) Math.min(2L * capacity, max));
        } else if (isClosed(queue)) {
            replace(capacity);
        }
        final long needed = reserved() + (1L + toResume) * completionsPerQueuePair;
        if (needed > max) {
            throw refusal(Errno.ENOMEM, needed, "maximum=" + max, null);
        }
        if (needed > capacity && !device.attributes().completionQueueResizing()) {
            throw refusal(Errno.EOPNOTSUPP, needed, "the device resizes no completion queue", null);
        }
        if (needed > capacity) {
            try {
                // twice as much as there was: links often come one after another
                queue.resize(Math.clamp(2L * capacity, (int) needed, max));
                capacity = queue.capacity();
            } catch (final VerbsException ex) {
                throw refusal(ex.errno(), needed, ex.getMessage(), ex);
            }
        }
        return queue;
    }

    private VerbsException refusal(
        final int errno, final long needed, final String why, final VerbsException cause) {
        return new VerbsException("ibv_resize_cq", errno, "no room for one more link: queuePairs=" + held.size()
            + " undrained=" + undrained + " completionsPerQueuePair=" + completionsPerQueuePair + " needed=" + needed
            + " capacity=" + capacity + ", " + why, cause);
    }

    /** Whether a queue is closed: nothing but the device's absence closes one that is in use. */
    private static boolean isClosed(final CompletionQueue queue) {
        return queue.capacity() == 0;
    }

    /** {@return completions that may be outstanding} */
    long reserved() {
        return (long) (held.size() + undrained) * completionsPerQueuePair;
    }

    /** Notes that a queue pair which room was made for completes here. */
    void hold(final QueuePair queuePair) {
        held.add(queuePair);
    }

    /** Notes that a queue pair has been destroyed, whether it was held or not, once or again. */
    void onDestroyed(final QueuePair queuePair) {
        if (held.remove(queuePair)) {
            final CompletionQueue left = queue;
            undrained++;
            drainer.drain(() -> setup.accept(() -> onDrained(left)));
        }
    }

    private void onDrained(final CompletionQueue drained) {
        if (drained == queue) {
            undrained--;
        }
    }

    private void replace(final int newCapacity) {
        final CompletionQueue replacement = create(newCapacity);
        capacity = replacement.capacity();
        dead.add(queue);
        held.clear();
        undrained = 0;
        queue = replacement;
        // not before: who asks about the dead one meanwhile must not take the other for it
        hasOverrun = false;
        whenReplaced.accept(replacement);
    }

    /**
     * Notes that a queue has overrun. Conductor.
     *
     * @return whether it is this one's, and was not known to have.
     */
    boolean onOverrun(final CompletionQueue overrun) {
        if (overrun != queue || hasOverrun || isClosed(overrun)) {
            return false;
        }
        hasOverrun = true;
        return true;
    }

    /** Close those queues that have been replaced and that no queue pair uses any more. */
    void closeDead() {
        for (final CompletionQueue each : List.copyOf(dead)) {
            try {
                close(each);
                dead.remove(each);
            } catch (final VerbsException ex) {
                if (ex.errno() != Errno.EBUSY) {
                    dead.remove(each);
                    throw ex;
                }
            }
        }
    }

    /** {@return the queue, the last one where it was replaced} Any thread. */
    CompletionQueue queue() {
        return queue;
    }

    private void close(final CompletionQueue each) {
        if (eventChannel == null) {
            each.close();
        } else {
            eventChannel.close(each);
        }
    }

    /** Closes all queues; queue pairs are gone. */
    @Override
    public void close() {
        CloseHelper.closeAll(Stream.concat(dead.stream(), Stream.of(queue))
            .<AutoCloseable>map(each -> () -> close(each)).toList());
    }
}
