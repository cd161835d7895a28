package io.sluice.transport;

import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.RendezvousName;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.stream.EventOptions;
import io.sluice.transport.stream.LogOptions;
import io.sluice.transport.stream.LogSharing;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.SessionChoice;
import io.sluice.transport.stream.SlowConsumerPolicy;
import io.sluice.transport.stream.SubscriptionOptions;
import java.util.List;
import java.util.Locale;

/**
 * Reads the options that channels ask for, with the context's defaults for what they leave out. Any thread.
 */
final class Channels {
    private final Context context;

    Channels(final Context context) {
        this.context = context;
    }

    PublicationOptions publication(final String channel, final int streamId) {
        final LinkOptions links = context.links();
        final Timeouts timeouts = context.timeouts();
        final ChannelUri uri = ChannelUri.parse(channel);
        final int windowLength = uri.sizeValue(
            ChannelUri.WINDOW, context.windowLength(), Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
        checkPowerOfTwo(ChannelUri.WINDOW, windowLength, channel);
        return new PublicationOptions(
            channel,
            new Medium.Party(rendezvous(uri), true, uri.isRdma() ? null : uri.control()),
            streamId,
            new SessionChoice(
                uri.intValue(ChannelUri.SESSION_ID, (int) context.environment().randomLong(), Integer.MIN_VALUE,
                    Integer.MAX_VALUE),
                uri.has(ChannelUri.SESSION_ID)),
            new LogOptions(windowLength, isLogShared(uri), isMemoryCompletion(uri),
                uri.isTrue(ChannelUri.TIMESTAMPS)),
            uri.intValue(
                ChannelUri.WRITES_IN_FLIGHT, links.writesInFlight(), 1, Configuration.RECEIVE_DEPTH_MAX),
            uri.durationNsValue(ChannelUri.LINGER, timeouts.lingerTimeoutNs(), 0, Configuration.TIMEOUT_MAX_NS),
            FlowControls.parse(uri, timeouts.resumeTimeoutNs(), timeouts.livenessTimeoutNs()));
    }

    /** Whether the channel says which session a publication is. */
    boolean namesSession(final String channel) {
        return ChannelUri.parse(channel).has(ChannelUri.SESSION_ID);
    }

    SubscriptionOptions subscription(
        final String channel, final int streamId, final SubscriptionMode mode, final CompletionMode completionMode) {
        final ChannelUri uri = ChannelUri.parse(channel);
        final LinkOptions links = context.links();
        final SlowConsumerPolicy slowConsumers = SlowConsumerPolicies.parse(uri, mode, context);
        final int ringLength =
            uri.intValue(ChannelUri.RING, Configuration.RING_DEFAULT, 2, Configuration.RING_MAX);
        checkPowerOfTwo(ChannelUri.RING, ringLength, channel);
        return new SubscriptionOptions(
            channel,
            new Medium.Party(rendezvous(uri), false, null),
            streamId,
            uri.longValue(ChannelUri.GROUP_TAG, FlowControl.NO_TAG, FlowControl.NO_TAG + 1, Long.MAX_VALUE),
            uri.intValue(ChannelUri.RECEIVE_DEPTH, links.receiveDepth(), 1, Configuration.RECEIVE_DEPTH_MAX),
            new LogSharing(
                !slowConsumers.isEvicting() && isLogShared(uri),
                isMemoryCompletion(uri, completionMode),
                uri.durationNsValue(
                    ChannelUri.MODERATION, links.moderationPeriodNs(), 0, Configuration.MODERATION_PERIOD_MAX_NS)),
            new EventOptions(
                ringLength,
                uri.isTrue(ChannelUri.RECEIVE_TIMESTAMPS),
                uri.isTrue(ChannelUri.LATENCY),
                slowConsumers));
    }

    /** The mode of a subscription; handlers have a thread and a ring. */
    SubscriptionMode mode(final String channel, final boolean hasHandlers) {
        final SubscriptionMode otherwise = hasHandlers ? SubscriptionMode.DEDICATED : context.subscriptionMode();
        final SubscriptionMode mode = SubscriptionMode.valueOf(
            ChannelUri.parse(channel).wordValue(
                ChannelUri.MODE, otherwise.name().toLowerCase(Locale.ROOT), List.of("invoker", "dedicated"))
                .toUpperCase(Locale.ROOT));
        if (hasHandlers && mode == SubscriptionMode.INVOKER) {
            throw new IllegalArgumentException(
                "handlers need a ring: mode=invoker channel=" + channel + "; leave mode out, or poll without handlers");
        }
        return mode;
    }

    /** The poller that a subscription asks for, or {@link Pollers#ANY}. */
    int poller(final String channel, final int pollerCount) {
        return ChannelUri.parse(channel).intValue(ChannelUri.POLLER, Pollers.ANY, 0, pollerCount - 1);
    }

    private static String rendezvous(final ChannelUri uri) {
        if (uri.isRdma()) {
            return uri.control() == null
                ? RendezvousName.rdma(uri.endpoint()) : RendezvousName.rdmaControl(uri.control());
        }
        return uri.control() == null ? RendezvousName.ipc(uri.endpoint()) : RendezvousName.control(uri.control());
    }

    private static void checkPowerOfTwo(final String key, final int value, final String channel) {
        Quantities.checkPowerOfTwo(key, value, " channel=" + channel);
    }

    private static boolean isLogShared(final ChannelUri uri) {
        return sharesMemory(uri, ChannelUri.LOG, "shared", "copied");
    }

    private static boolean isMemoryCompletion(final ChannelUri uri) {
        return sharesMemory(uri, ChannelUri.COMPLETION, "memory", "queue");
    }

    /**
     * Whether messages complete in memory: not at a poller that waits for events, since no event announces what is not
     * posted.
     */
    private static boolean isMemoryCompletion(final ChannelUri uri, final CompletionMode completionMode) {
        if (completionMode == CompletionMode.SPIN) {
            return isMemoryCompletion(uri);
        }
        if (uri.has(ChannelUri.COMPLETION) && isMemoryCompletion(uri)) {
            throw new IllegalArgumentException("a poller that waits for completion events needs completions: "
                + ChannelUri.COMPLETION + "=" + uri.value(ChannelUri.COMPLETION) + " completionMode=" + completionMode
                + " channel=" + uri + "; leave it out, or choose a poller with completionMode=SPIN");
        }
        return false;
    }

    /**
     * Whether a channel chooses the word that shares memory: the default on one host, and not to be had between hosts.
     */
    private static boolean sharesMemory(
        final ChannelUri uri, final String key, final String shared, final String notShared) {
        final List<String> words = uri.isRdma() ? List.of(notShared) : List.of(shared, notShared);
        return uri.wordValue(key, words.getFirst(), words).equals(shared);
    }
}
