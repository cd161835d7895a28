package io.sluice.samples.rpma;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.sluice.os.CpuAffinity;
import io.sluice.rpma.RpmaCompletionQueue;
import io.sluice.transport.completion.CompletionEvent;
import io.sluice.transport.completion.CompletionPoller;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

/**
 * A poller drains the queue onto a ring on a thread of its own, and the thread of the link takes the events from there.
 */
final class RingCompletions extends Completions {
    /** The length of the ring, more than can be under way: it is never full. */
    private static final int RING_LENGTH = 2 * (RpmaLink.RECEIVES + RpmaLink.SENDS);

    private final IdleStrategy idleStrategy;
    private final RpmaCompletionQueue queue;
    private final EventPoller<CompletionEvent> events;
    private final AgentRunner runner;
    private final EventPoller.Handler<CompletionEvent> onEvent = this::onEvent;
    private CompletionHandler handler;
    private int drained;
    private volatile Throwable failure;

    RingCompletions(final RpmaCompletionQueue queue, final RpmaLinkOptions options, final int... cpus) {
        this.queue = queue;
        idleStrategy = options.idleStrategy();
        final RingBuffer<CompletionEvent> ring =
            RingBuffer.createSingleProducer(CompletionEvent::new, RING_LENGTH, new BusySpinWaitStrategy());
        events = ring.newPoller();
        ring.addGatingSequences(events.getSequence());
        runner = new AgentRunner(
            options.awaitsEvents() ? new EventIdleStrategy(queue) : options.idleStrategy(),
            this::onError, null, new CompletionPoller(queue, ring, this::onError));
        // a thread begins on the processors of the one that starts it, which may be pinned and must not be shared
        AgentRunner.startOnThread(runner, task -> new Thread(() -> {
            CpuAffinity.restore(cpus);
            task.run();
        }));
    }

    private void onError(final Throwable error) {
        failure = error;
    }

    @Override
    int drain(final CompletionHandler newHandler) {
        if (failure != null) {
            throw new RpmaLinkFailure("the poller of completions has failed: " + failure.getMessage());
        }
        handler = newHandler;
        drained = 0;
        try {
            events.poll(onEvent);
        } catch (final Exception e) {
            throw new IllegalStateException(e);
        }
        return drained;
    }

    private boolean onEvent(final CompletionEvent event, final long sequence, final boolean isEndOfBatch) {
        handler.onCompletion(event.workRequestId(), event.status(), event.byteLength());
        drained++;
        return true;
    }

    @Override
    void idle() {
        idleStrategy.idle();
    }

    @Override
    public void close() {
        queue.wake();
        runner.close();
    }
}
