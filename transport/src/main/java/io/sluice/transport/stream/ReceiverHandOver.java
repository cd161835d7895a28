package io.sluice.transport.stream;

import io.sluice.transport.agent.Tasks;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.ReceiverListener;
import io.sluice.verbs.CompletionQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Hands over to the conductor what a subscription's receiver tells on the thread that polls it. */
final class ReceiverHandOver implements ReceiverListener {
    private final Tasks tasks;
    private final Supplier<CompletionQueue> completions;
    private final Consumer<CompletionQueue> overrun;

    /**
     * The hand-over of one subscription.
     *
     * @param tasks       of the conductor.
     * @param completions the queue that is polled now; asked on the polling thread.
     * @param overrun     told, on the conductor, of a queue that has overrun.
     */
    ReceiverHandOver(
        final Tasks tasks, final Supplier<CompletionQueue> completions, final Consumer<CompletionQueue> overrun) {
        this.tasks = tasks;
        this.completions = completions;
        this.overrun = overrun;
    }

    @Override
    public void onLinkFailed(final InboundLink link, final BreakReason reason) {
        tasks.execute(() -> link.owner().onFailed(reason));
    }

    @Override
    public void onEndReceived(final InboundLink link) {
        tasks.execute(() -> link.owner().onEndReceived());
    }

    @Override
    public void onEndConsumed(final InboundLink link) {
        tasks.execute(() -> link.owner().onEndConsumed());
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
        // now, on the polling thread: another one may have taken its place when the conductor hears of it
        final CompletionQueue dead = completions.get();
        tasks.execute(() -> overrun.accept(dead));
    }
}
