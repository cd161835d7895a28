package io.sluice.transport.stream;

import io.sluice.transport.agent.Tasks;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.receive.ReceiverCommands;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;
import org.agrona.CloseHelper;

/**
 * The completion queues of a subscription: where its receives complete, and its writes of feedback. Created by any
 * thread, then used on the set-up thread, but for {@link #onOverrun}.
 */
final class SubscriptionQueues implements AutoCloseable {
    private final CompletionBudget receives;
    private final CompletionBudget feedbacks;

    /**
     * Creates both queues; those of the receives announce completions where the poller waits for them, if there is one.
     */
    SubscriptionQueues(final TransportParameters parameters, final SubscriptionOptions options, final Poller poller) {
        receives = new CompletionBudget(parameters.device(), CompletionField.IMMEDIATE, options.receiveDepth(),
            poller == null ? null : poller.eventChannel(parameters.device()));
        try {
            feedbacks = new CompletionBudget(
                parameters.device(), 0, InboundEpoch.SEND_QUEUE_LENGTH + 1);
        } catch (final Throwable ex) {
            CloseHelper.quietClose(receives);
            throw ex;
        }
    }

    /** Lets the polling thread know of a queue that takes the place of one that has overrun. Before use. */
    void whenReplaced(final Tasks tasks, final ReceiverCommands commands) {
        receives.whenReplaced(replacement -> {
            commands.receives(replacement);
            tasks.setUpLater(receives::closeDead);
        });
        feedbacks.whenReplaced(replacement -> {
            commands.feedbacks(replacement);
            tasks.setUpLater(feedbacks::closeDead);
        });
        receives.drainedBy(commands::drainReceives, tasks::setUpLater);
        feedbacks.drainedBy(commands::drainFeedbacks, tasks::setUpLater);
    }

    /** Notes that a queue pair which room was made for completes at both queues. Set-up thread. */
    void hold(final QueuePair queuePair) {
        receives.hold(queuePair);
        feedbacks.hold(queuePair);
    }

    /** Destroy a queue pair, if it was not destroyed before. Set-up thread. */
    void destroy(final QueuePair queuePair) {
        queuePair.close();
        receives.onDestroyed(queuePair);
        feedbacks.onDestroyed(queuePair);
    }

    /** {@return whether the queue is one of these, and was not known to have overrun} Conductor. */
    boolean onOverrun(final CompletionQueue overrun) {
        return receives.onOverrun(overrun) || feedbacks.onOverrun(overrun);
    }

    CompletionBudget receives() {
        return receives;
    }

    CompletionBudget feedbacks() {
        return feedbacks;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(receives, feedbacks);
    }
}
