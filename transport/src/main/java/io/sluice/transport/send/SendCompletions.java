package io.sluice.transport.send;

import io.sluice.transport.buffer.DrainWatch;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Completions of what a publication's links have posted, reaped by the holder of the post token.
 */
public final class SendCompletions {
    private final LiveCounters counters;
    private final DrainWatch drainWatch = new DrainWatch();
    private final ManyToOneConcurrentLinkedQueue<Runnable> drainRequests = new ManyToOneConcurrentLinkedQueue<>();

    private volatile CompletionQueue queue;

    SendCompletions(final CompletionQueue queue, final LiveCounters counters) {
        this.queue = queue;
        this.counters = counters;
    }

    /**
     * Reap another queue from now on, in the place of one that has overrun. Any thread; before a link that completes
     * there is posted on.
     *
     * @param replacement of the same publication.
     */
    public void replaceQueue(final CompletionQueue replacement) {
        queue = replacement;
    }

    /** {@return the watch that says how full the queue was found} Any thread may ask for the count. */
    public DrainWatch drainWatch() {
        return drainWatch;
    }

    /** Has the next {@link #drain} tell, once it has reaped what is done. Any thread. */
    void whenDrained(final Runnable drained) {
        drainRequests.add(drained);
    }

    /** {@return false while the device keeps polls out: to be done again} */
    boolean drain(final OutboundLink[] links) {
        final CompletionQueue completions = queue;
        Runnable drained;
        while ((drained = drainRequests.poll()) != null) {
            drainWatch.whenDrained(completions, drained);
        }
        int result = Errno.OK;
        while (result == Errno.OK) {
            result = reap(links);
        }
        return result != Errno.EBUSY;
    }

    /** {@return OK when there may be more, or what the start of a batch has answered} */
    int reap(final OutboundLink[] links) {
        // once: another one may take its place meanwhile
        final CompletionQueue completions = queue;
        final int result = completions.startPoll();
        if (result == Errno.ENOENT) {
            drainWatch.onEmpty();
        }
        if (result == Errno.ENOENT || result == Errno.EBUSY) {
            return result;
        }
        if (result != Errno.OK) {
            for (final OutboundLink link : links) {
                link.fail(BreakReason.COMPLETION_QUEUE_OVERRUN);
            }
            drainWatch.onEmpty();
            return result;
        }
        drainWatch.watch(completions);
        final int limit = drainWatch.limit();
        int reaped = 0;
        int length;
        do {
            length = 0;
            do {
                dispatch(links, completions.workRequestId(), completions.status());
            } while (reaped + ++length < limit && completions.nextPoll() == Errno.OK);
            completions.endPoll();
            reaped += length;
            // a batch that was as long as any does not tell how many completions are waiting
        } while (length == completions.maxBatch() && reaped < limit && completions.startPoll() == Errno.OK);
        drainWatch.onDrained(reaped);
        return Errno.OK;
    }

    private void dispatch(final OutboundLink[] links, final long workRequestId, final int status) {
        for (final OutboundLink link : links) {
            final OutboundLinkParameters parameters = link.parameters();
            if (parameters.index() == WorkRequestId.index(workRequestId)
                && parameters.generation() == WorkRequestId.generation(workRequestId)) {
                link.onCompletion(status == WorkStatus.SUCCESS);
                return;
            }
        }
        counters.countStale(status);
    }
}
