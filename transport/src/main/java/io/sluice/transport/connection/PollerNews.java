package io.sluice.transport.connection;

import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.ReceiverListener;
import io.sluice.transport.status.BreakReason;
import io.sluice.verbs.CompletionQueue;

/** News from the thread that polls a subscription, handed over to the conductor. */
final class PollerNews implements ReceiverListener {
    private final SubscriptionState subscription;
    private final Tasks tasks;

    PollerNews(final SubscriptionState subscription) {
        this.subscription = subscription;
        tasks = subscription.services().tasks();
    }

    @Override
    public void onLinkFailed(final InboundLink link, final BreakReason reason) {
        tasks.execute(() -> ((SubscriptionLink) link.attachment()).onFailed(reason));
    }

    @Override
    public void onEndReceived(final InboundLink link) {
        tasks.execute(() -> ((SubscriptionLink) link.attachment()).onEndReceived());
    }

    @Override
    public void onEndConsumed(final InboundLink link) {
        tasks.execute(() -> ((SubscriptionLink) link.attachment()).onEndConsumed());
    }

    @Override
    public void onCompletionQueueFailed(final int errno) {
        // now, on the polling thread: another one may have taken its place when the conductor hears of it
        final CompletionQueue dead = subscription.receiver().completions();
        tasks.execute(() -> subscription.onOverrun(dead));
    }
}
