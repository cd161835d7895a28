package io.sluice.transport;

import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.status.TransportException;
import io.sluice.transport.stream.PublicationEnd;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.PublicationState;
import io.sluice.transport.stream.SubscriptionOptions;
import io.sluice.transport.stream.SubscriptionState;
import io.sluice.verbs.VerbsException;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * Adds publications and subscriptions to a transport, and knows those that are open and the devices that they use.
 * Under the transport's lock.
 */
final class Adds implements AutoCloseable {
    private final Context context;
    private final Conductor conductor;
    private final Pollers pollers;
    private final Consumers consumers;
    private final InvokingThread invoking;
    private final ErrorHandler handlerErrors;
    private final Channels channels;
    private final Media media;
    private final OpenStreams streams = new OpenStreams();
    private boolean isUnderWay;

    /** Adds for a transport that has nothing yet; what handlers throw is told on their own threads. */
    Adds(
        final Context context, final Conductor conductor, final Pollers pollers, final Consumers consumers,
        final InvokingThread invoking, final ErrorHandler handlerErrors) {
        this.context = context;
        this.conductor = conductor;
        this.pollers = pollers;
        this.consumers = consumers;
        this.invoking = invoking;
        this.handlerErrors = handlerErrors;
        channels = new Channels(context);
        media = new Media(context, conductor, handlerErrors);
    }

    /** The error to throw of what a channel's device or the shared memory cannot do, in the channel's words. */
    TransportException inWordsOf(final String channel, final VerbsException error) {
        return Media.failure(ChannelUri.parse(channel).isRdma() || !context.device().attributes().sharesMemory(),
            channel, error);
    }

    /** Makes something, while which {@link #isUnderWay()}: what it calls of the program's own cannot close. */
    <T> T make(final Supplier<T> added) {
        final boolean isWithinAnother = isUnderWay;
        isUnderWay = true;
        try {
            return added.get();
        } finally {
            isUnderWay = isWithinAnother;
        }
    }

    /** {@return whether an add is under way, of whoever has the transport's lock} */
    boolean isUnderWay() {
        return isUnderWay;
    }

    ConcurrentPublication publication(final String channel, final int streamId) {
        return streams.shared().add(channels.publication(channel, streamId), channels.namesSession(channel),
            options -> add(options, true));
    }

    ExclusivePublication exclusivePublication(final String channel, final int streamId) {
        return new ExclusivePublication(add(channels.publication(channel, streamId), false));
    }

    private PublicationEnd add(final PublicationOptions options, final boolean isConcurrent) {
        final Medium medium = media.of(options.channel(), true);
        return streams.sessions().add(options, channels.namesSession(options.channel()),
            () -> add(medium, options, isConcurrent));
    }

    private PublicationEnd add(final Medium medium, final PublicationOptions options, final boolean isConcurrent) {
        final PublicationState state = conductor.publication(medium, options, isConcurrent);
        conductor.add(state);
        return state;
    }

    /** A subscription whose messages go to the handlers of a graph, or one that is polled when that is null. */
    Subscription subscription(
        final String channel,
        final int streamId,
        final HandlerGraph graph,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        final SubscriptionMode mode = channels.mode(channel, graph != null);
        final int wanted = pollers.choose(channels.poller(channel, pollers.count()));
        final CompletionMode completionMode =
            mode == SubscriptionMode.DEDICATED ? pollers.completionMode(wanted) : CompletionMode.SPIN;
        final SubscriptionOptions options = channels.subscription(channel, streamId, mode, completionMode);
        final Medium medium = media.of(channel, false);
        final List<HandlerGraph.Node> handlers = graph == null ? List.of() : graph.usable();
        final Poller poller = mode == SubscriptionMode.DEDICATED ? pollers.running(wanted) : null;
        final SubscriptionState state = conductor.subscription(medium, options, poller);
        final Subscription subscription = new Subscription(state, graph != null, handlerErrors);
        if (poller != null) {
            pollers.assign(subscription, poller);
        }
        state.images(new ImageHandlers(subscription, available, unavailable));
        streams.add(subscription);
        if (graph == null) {
            conductor.add(state);
        } else {
            final String waitStrategy = graph.waitStrategy(completionMode);
            final List<EventConsumer> gating = consumers.gate(state, handlers, waitStrategy);
            conductor.add(state);
            graph.used(true);
            start(subscription, graph, gating, waitStrategy);
        }
        return subscription;
    }

    private void start(
        final Subscription subscription, final HandlerGraph graph, final List<EventConsumer> gating,
        final String waitStrategy) {
        // a handler that is told of its start must not run the agents; whoever is in doWork() has the claim already
        final boolean isClaimed = context.threadingMode() == ThreadingMode.INVOKER
            && invoking.tryEnter();
        try {
            consumers.start(gating, waitStrategy);
        } catch (final Throwable ex) {
            // no thread, for example: nobody may wait for a consumer that will never run
            subscription.close();
            graph.used(consumers.isAnyStarted(gating));
            throw ex;
        } finally {
            if (isClaimed) {
                invoking.leave();
            }
        }
    }

    /** The poll that the calling thread is in, or null. */
    String polledHere() {
        String within = null;
        for (final Subscription subscription : streams.subscriptions()) {
            if (subscription.isPolledHere()) {
                within = "a poll of streamId=" + subscription.streamId();
            }
        }
        return within;
    }

    /** Closes the devices of channels. */
    @Override
    public void close() {
        media.close();
    }
}
