package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayDeque;
import java.util.Deque;

/** Takes the completions of one queue in one of the ways that there are. One thread. */
final class CompletionTaker {
    /** Fewer than there may be, so that more than one call is needed. */
    private static final int LIMIT = 3;

    private final RpmaCompletionQueue queue;
    private final PollingWay way;
    /** Between two looks: waits for an event, or lets others have the core. */
    private final Runnable pause;
    private final WorkCompletions completions = new WorkCompletions(LIMIT);
    private final Deque<TakenCompletion> taken = new ArrayDeque<>();

    /** Takes from a queue, which has a channel of its own if it is waited for. */
    CompletionTaker(final RpmaCompletionQueue queue, final PollingWay way) {
        this(queue, way, way.waits
            ? () -> assertEquals(RpmaError.OK, queue.await(RpmaRig.TIMEOUT_NS), "no event") : Thread::yield);
    }

    CompletionTaker(final RpmaCompletionQueue queue, final PollingWay way, final Runnable pause) {
        this.queue = queue;
        this.way = way;
        this.pause = pause;
    }

    RpmaCompletionQueue queue() {
        return queue;
    }

    /** The next completion, whatever it is. */
    TakenCompletion next() {
        final long startNs = System.nanoTime();
        while (taken.isEmpty()) {
            pause.run();
            drain();
            assertTrue(System.nanoTime() - startNs < RpmaRig.TIMEOUT_NS, "no completion");
        }
        return taken.removeFirst();
    }

    /** The next completion, which must be a success. */
    TakenCompletion nextSuccess() {
        final TakenCompletion completion = next();
        assertEquals(WorkStatus.SUCCESS, completion.status(), completion::toString);
        return completion;
    }

    /** The next completion, which must be a failure; its status. */
    int nextFailure(final long workRequestId) {
        final TakenCompletion completion = next();
        assertTrue(completion.status() != WorkStatus.SUCCESS, completion::toString);
        assertEquals(workRequestId, completion.workRequestId(), completion::toString);
        return completion.status();
    }

    /** Take all that there is. */
    void drain() {
        way.drain(this);
    }

    /** Require that nothing has been taken that nobody has asked for, and that there is no more. */
    void requireEmpty() {
        drain();
        assertTrue(taken.isEmpty(), taken::toString);
    }

    void drainOneByOne() {
        int result = queue.getCompletion(completions);
        while (result == RpmaError.OK) {
            taken.add(TakenCompletion.of(completions, 0));
            result = queue.getCompletion(completions);
        }
        assertEquals(RpmaError.E_NO_COMPLETION, result);
    }

    void drainSeveral() {
        int count = queue.getCompletions(LIMIT, completions);
        while (count > 0) {
            for (int i = 0; i < count; i++) {
                taken.add(TakenCompletion.of(completions, i));
            }
            count = queue.getCompletions(LIMIT, completions);
        }
        assertEquals(RpmaError.E_NO_COMPLETION, count);
    }

    void drainBatches() {
        int result = queue.startPoll();
        while (result == Errno.OK) {
            do {
                taken.add(TakenCompletion.of(queue));
            } while (queue.nextPoll() == Errno.OK);
            queue.endPoll();
            result = queue.startPoll();
        }
        assertEquals(Errno.ENOENT, result);
    }
}
