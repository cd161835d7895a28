package io.sluice.samples;

import io.sluice.transport.AvailableImageHandler;
import io.sluice.transport.CompletionMode;
import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.UnavailableImageHandler;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A transport that talks on one channel. Opened, used for adding, and closed by the main thread; closing it closes its
 * publications and subscriptions.
 */
final class Endpoint implements AutoCloseable {
    /** Finds the mode in a channel: the last of equal keys counts. */
    private static final Pattern MODE = Pattern.compile(".*[?|]mode=([^|]*).*");

    private final Transport transport;
    private final String channel;
    private final Function<String, RuntimeException> badChannel;

    private Endpoint(
        final Transport transport, final String channel, final Function<String, RuntimeException> badChannel) {
        this.transport = transport;
        this.channel = channel;
        this.badChannel = badChannel;
    }

    /**
     * Launch a transport.
     *
     * @param clientName how it calls itself to its peers.
     * @param channel    for everything that is added.
     * @param badChannel makes what is thrown when the channel cannot be used, from the reason.
     * @return the endpoint.
     */
    static Endpoint open(
        final String clientName, final String channel, final Function<String, RuntimeException> badChannel) {
        return open(clientName, channel, null, badChannel);
    }

    /**
     * Launch a transport.
     *
     * @param clientName how it calls itself to its peers.
     * @param channel    for everything that is added.
     * @param completion how its pollers learn of completions, or null for the default.
     * @param badChannel makes what is thrown when the channel cannot be used, from the reason.
     * @return the endpoint.
     */
    static Endpoint open(
        final String clientName, final String channel, final CompletionMode completion,
        final Function<String, RuntimeException> badChannel) {
        try {
            final PollerOptions pollers = new PollerOptions();
            final Context context = new Context()
                .clientName(clientName)
                .pollers(completion == null ? pollers : pollers.completionModes(completion))
                .errorHandler(error -> System.err.println("sluice " + clientName + ": " + error));
            return new Endpoint(Transport.launch(context), channel, badChannel);
        } catch (final RuntimeException e) {
            throw new RunFailure("cannot launch the transport: " + e.getMessage(), e);
        }
    }

    /**
     * Returns an endpoint on this transport, to add on another channel.
     *
     * @param other        channel.
     * @param otherMistake makes what is thrown when it cannot be used, from the reason.
     * @return an endpoint that need not be closed.
     */
    Endpoint on(final String other, final Function<String, RuntimeException> otherMistake) {
        return new Endpoint(transport, other, otherMistake);
    }

    /** The mode in which subscriptions are polled, in the channel's word. */
    String mode() {
        final Matcher inChannel = MODE.matcher(channel);
        return inChannel.matches()
            ? inChannel.group(1)
            : transport.context().subscriptionMode().name().toLowerCase(Locale.ROOT);
    }

    Publication addExclusivePublication(final int streamId) {
        return naming(() -> transport.addExclusivePublication(channel, streamId));
    }

    Subscription addSubscription(final int streamId) {
        return naming(() -> transport.addSubscription(channel, streamId));
    }

    Subscription addSubscription(
        final int streamId, final AvailableImageHandler available, final UnavailableImageHandler unavailable) {
        return naming(() -> transport.addSubscription(channel, streamId, available, unavailable));
    }

    Subscription addSubscription(final int streamId, final HandlerGraph graph, final ImageNotices notices) {
        return naming(() -> transport.addSubscription(channel, streamId, graph, notices, notices));
    }

    private <T> T naming(final Supplier<T> adding) {
        try {
            return adding.get();
        } catch (final IllegalArgumentException e) {
            throw badChannel.apply(e.getMessage());
        } catch (final RuntimeException e) {
            throw new RunFailure("cannot use channel " + channel + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
