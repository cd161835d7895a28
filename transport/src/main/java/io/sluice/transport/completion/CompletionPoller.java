package io.sluice.transport.completion;

import com.lmax.disruptor.RingBuffer;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.Objects;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * Drains a completion queue, of whatever library, onto a Disruptor ring: one thread polls, which may be pinned, and the
 * handlers that the ring has run on others. A full ring leaves completions where they are, so that the queue fills:
 * whoever posts bounds what is under way by the size of the queue, as without a ring. One thread runs this; it owns the
 * polling of the queue and is the only one that publishes to the ring. Draining allocates nothing.
 * <p>
 * The queue stays its owner's, who closes it when this thread has ended. A queue that fails is told to the error
 * handler once, and again when it has worked meanwhile.
 */
public final class CompletionPoller implements Agent {
    private final CompletionQueue queue;
    private final RingBuffer<CompletionEvent> ring;
    private final ErrorHandler errorHandler;
    private final int fields;
    private boolean isFull;
    private boolean isFailed;
    /** Result of the last poll of the batch. */
    private int result;
    private volatile long fullEvents;

    /**
     * A poller, which does nothing before its thread runs.
     *
     * @param queue        to drain.
     * @param ring         with the sequences of its consumers as gating sequences; nobody else publishes to it.
     * @param errorHandler told on the poller's thread when the queue cannot be polled.
     */
    public CompletionPoller(
        final CompletionQueue queue, final RingBuffer<CompletionEvent> ring, final ErrorHandler errorHandler) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.ring = Objects.requireNonNull(ring, "ring");
        this.errorHandler = Objects.requireNonNull(errorHandler, "errorHandler");
        fields = queue.fields();
    }

    /**
     * Take completions until the queue is empty, or as many as the ring had room for at the beginning. Each batch of
     * the queue is published at once.
     *
     * @return completions taken.
     */
    @Override
    public int doWork() {
        int room = (int) ring.remainingCapacity();
        if (room == 0) {
            onFull();
            return 0;
        }
        isFull = false;
        int taken = 0;
        do {
            final int count = takeBatch(room);
            room -= count;
            taken += count;
        } while (result == Errno.OK && room > 0);
        if (result != Errno.OK && result != Errno.ENOENT && result != Errno.EBUSY) {
            onFailed();
        }
        return taken;
    }

    /**
     * One batch. The slots behind the cursor for which there is room are nobody else's: they are filled first and then
     * claimed, so that a claim has exactly what is there, is never refused and never waits. Leaves in {@code result}
     * whether the queue may have more.
     */
    private int takeBatch(final int room) {
        result = queue.startPoll();
        if (result != Errno.OK) {
            return 0;
        }
        final long published = ring.getCursor();
        int count = 0;
        int next;
        do {
            ring.get(published + ++count).set(queue, fields);
            next = count < room ? queue.nextPoll() : Errno.ENOENT;
        } while (next == Errno.OK);
        queue.endPoll();
        ring.next(count);
        ring.publish(published + 1, published + count);
        isFailed = false;
        // the end of a batch does not tell that the queue is empty
        result = next == Errno.ENOENT ? Errno.OK : next;
        return count;
    }

    private void onFull() {
        if (!isFull) {
            isFull = true;
            fullEvents++;
        }
    }

    private void onFailed() {
        if (!isFailed) {
            isFailed = true;
            errorHandler.onError(new VerbsException("ibv_start_poll", result,
                "the completion queue cannot be polled any more: close it, and make it and its queue pairs anew"));
        }
    }

    /**
     * The number of times that the consumers have held completions back.
     *
     * @return times that the ring became full, so that completions stayed in the queue. Any thread.
     */
    public long fullEvents() {
        return fullEvents;
    }

    @Override
    public String roleName() {
        return "completion-poller";
    }

    @Override
    public String toString() {
        return "CompletionPoller{fullEvents=" + fullEvents + "}";
    }
}
