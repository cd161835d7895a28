package io.sluice.transport.connection;

import io.sluice.transport.receive.EventChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.CloseHelper;

/**
 * A completion queue that always has room for everything that its links may have outstanding, so that it cannot
 * overrun. Should it overrun all the same, because the device has less room than it says, another one takes its place:
 * the next set-up makes it, and the one that is dead goes when the last queue pair on it is gone. Created by any
 * thread, then used on the set-up thread, but for {@link #queue()} and {@link #onOverrun}; the queue itself is polled
 * elsewhere.
 */
final class CompletionBudget implements AutoCloseable {
    /** Links that the queue has room for at the start; more make it grow. */
    private static final int INITIAL_LINKS = 4;

    /** Epochs of a link whose completions may be outstanding at once: the current one, and one just broken. */
    private static final int EPOCHS_PER_LINK = 2;

    private final RdmaDevice device;
    private final int fields;
    private final EventChannel events;
    private final int completionsPerLink;
    private final List<CompletionQueue> dead = new ArrayList<>();
    private Consumer<CompletionQueue> whenReplaced = replacement -> { };
    private volatile CompletionQueue queue;
    private volatile boolean hasOverrun;

    CompletionBudget(final RdmaDevice device, final int fields, final int completionsPerLink) {
        this(device, fields, completionsPerLink, null);
    }

    /** One whose queue announces completions on a poller's channel, or nowhere when that is null. */
    CompletionBudget(
        final RdmaDevice device, final int fields, final int completionsPerLink, final EventChannel events) {
        this.device = device;
        this.fields = fields;
        this.completionsPerLink = completionsPerLink;
        this.events = events;
        queue = create(INITIAL_LINKS * EPOCHS_PER_LINK * completionsPerLink);
    }

    private CompletionQueue create(final int capacity) {
        return events == null
            ? device.createCompletionQueue(new CompletionQueueAttributes(capacity, fields, null))
            : events.createQueue(capacity, fields);
    }

    /** Who polls the queue is told of another one, on the set-up thread, before a link completes there. Before use. */
    void whenReplaced(final Consumer<CompletionQueue> listener) {
        whenReplaced = listener;
    }

    /**
     * Make room for a number of links, and for what is being set up: when the set-up thread was held up, it makes what
     * was asked for again and again before any of it is released.
     *
     * @throws VerbsException ENOMEM with the numbers when no queue of the device has so much room.
     */
    CompletionQueue reserve(final int linkCount, final int setUps) {
        closeDead();
        final int needed = Math.multiplyExact(linkCount * EPOCHS_PER_LINK + setUps, completionsPerLink);
        final int max = device.attributes().maxCompletionQueueEntries();
        if (needed > max) {
            throw new VerbsException("ibv_resize_cq", Errno.ENOMEM, "no room for one more link: links=" + linkCount
                + " setUps=" + setUps + " completionsPerLink=" + completionsPerLink + " epochsPerLink="
                + EPOCHS_PER_LINK + " needed=" + needed + " capacity=" + queue.capacity() + " maximum=" + max);
        }
        // twice as much as there was: links often come one after another
        final int roomy = Math.clamp(2L * queue.capacity(), needed, max);
        if (hasOverrun) {
            replace(roomy);
        } else if (needed > queue.capacity()) {
            queue.resize(roomy);
        }
        return queue;
    }

    private void replace(final int capacity) {
        final CompletionQueue replacement = create(capacity);
        dead.add(queue);
        queue = replacement;
        // not before: who asks about the dead one meanwhile must not take the other for it
        hasOverrun = false;
        whenReplaced.accept(replacement);
    }

    /**
     * A queue has overrun. Conductor.
     *
     * @return whether it is this one's, and was not known to have.
     */
    boolean onOverrun(final CompletionQueue overrun) {
        if (overrun != queue || hasOverrun) {
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
        if (events == null) {
            each.close();
        } else {
            events.close(each);
        }
    }

    /** Close all of them; queue pairs are gone. */
    @Override
    public void close() {
        CloseHelper.closeAll(Stream.concat(dead.stream(), Stream.of(queue))
            .<AutoCloseable>map(each -> () -> close(each)).toList());
    }
}
