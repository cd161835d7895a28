package io.sluice.samples.rpma;

import io.sluice.rpma.RpmaCompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import org.agrona.concurrent.IdleStrategy;

/** The thread of the link polls the queue itself: nothing is handed over. */
final class QueueCompletions extends Completions {
    private final RpmaCompletionQueue queue;
    private final IdleStrategy idleStrategy;

    QueueCompletions(final RpmaCompletionQueue queue, final RpmaLinkOptions options) {
        this.queue = queue;
        idleStrategy = options.awaitsEvents() ? new EventIdleStrategy(queue) : options.idleStrategy();
    }

    @Override
    int drain(final CompletionHandler handler) {
        final int result = queue.startPoll();
        if (result == Errno.ENOENT) {
            return 0;
        }
        if (result != Errno.OK) {
            throw new RpmaLinkFailure("cannot poll for completions: " + Errno.describe(result));
        }
        int count = 0;
        do {
            final int status = queue.status();
            handler.onCompletion(
                queue.workRequestId(), status, status == WorkStatus.SUCCESS ? queue.byteLength() : 0);
            count++;
        } while (queue.nextPoll() == Errno.OK);
        queue.endPoll();
        return count;
    }

    @Override
    void idle() {
        idleStrategy.idle();
    }

    @Override
    public void close() {
        // the queue is the connection's
    }
}
