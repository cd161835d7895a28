package io.sluice.perf.peer;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.SubscriptionMode;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.agrona.DirectBuffer;

/**
 * Sluice with its defaults, or with one other setting; the folder of its shared memory is the measurement's own. The
 * channel names the kind of log and of completion, default or not, so that it can be read in the settings.
 */
final class SluicePeer implements Peer {
    /**
     * The length of a large window: twice the largest cache of the machine on which it was tried, and the default of
     * Aeron's logs.
     */
    private static final int LARGE_WINDOW_LENGTH = 64 * 1024 * 1024;

    private final Context context = new Context();
    private final SubscriptionMode mode;
    private final boolean memoryCompletion;
    private final String channel;
    private final AddedEnds ends = new AddedEnds();
    /** The keys of publications and of subscriptions alone, empty unless latencies are kept. */
    private String ofPublications = "";
    private String ofSubscriptions = "";
    private Transport transport;

    private SluicePeer(final SubscriptionMode mode, final boolean memoryCompletion) {
        this.mode = mode;
        this.memoryCompletion = memoryCompletion;
        channel = "sluice:ipc?endpoint=bench|mode=" + mode.name().toLowerCase(Locale.ROOT) + "|log=shared|completion="
            + (memoryCompletion ? "memory" : "queue");
    }

    /** A peer as without any setting. */
    static SluicePeer withDefaults() {
        return new SluicePeer(SubscriptionMode.INVOKER, true);
    }

    /**
     * Makes a peer whose publisher may be so far ahead that neither side finds in the processor's caches what the other
     * has touched.
     */
    static SluicePeer withLargeWindow() {
        final SluicePeer peer = new SluicePeer(SubscriptionMode.INVOKER, true);
        peer.context.windowLength(LARGE_WINDOW_LENGTH);
        return peer;
    }

    /** Makes a peer that looks for every message at once, however dense the stream. */
    static SluicePeer withoutModeration() {
        final SluicePeer peer = new SluicePeer(SubscriptionMode.INVOKER, true);
        peer.context.links(new LinkOptions().moderationPeriodNs(0));
        return peer;
    }

    /** Makes a peer that drains completions, as over RDMA, and does not look at frames before. */
    static SluicePeer withCompletions() {
        return new SluicePeer(SubscriptionMode.INVOKER, false);
    }

    /** Makes a peer with a poller's thread and a ring between the publisher and whoever handles the messages. */
    static SluicePeer withPoller() {
        return new SluicePeer(SubscriptionMode.DEDICATED, true);
    }

    /** {@return this peer, whose messages are stamped and whose latencies are kept} */
    SluicePeer withLatency() {
        ofPublications = "|timestamps=true";
        ofSubscriptions = "|latency=true";
        return this;
    }

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
        transport = Transport.launch(context.directory(folder.resolve("sluice")));
    }

    @Override
    public Sender addSender(final int streamId) {
        final ExclusivePublication publication = transport.addExclusivePublication(channel + ofPublications, streamId);
        ends.addPublication(publication, publication.channel());
        return new SluiceSender(publication);
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        final Subscription subscription = transport.addSubscription(channel + ofSubscriptions, streamId);
        ends.addSubscription(subscription, subscription.channel());
        return new SluiceReceiver(subscription, listener, messageLimit);
    }

    @Override
    public Map<String, String> settings() {
        final Context launched = transport.context();
        final Map<String, String> settings = new LinkedHashMap<>();
        ends.putInto(settings, "offer", "poll on the measured thread");
        settings.put("own threads", "agents " + launched.threadingMode() + (mode == SubscriptionMode.INVOKER ? ""
            : transport.pollers().stream().map(poller -> ", " + poller.name() + " idles by " + poller.idleStrategy())
                .collect(Collectors.joining())));
        // where nothing is posted the others rest
        settings.put("log", "window " + launched.windowLength() + " B" + (memoryCompletion
            ? ", moderation " + launched.links().moderationPeriodNs() + " ns"
            : ", receives " + launched.links().receiveDepth() + ", writes in flight "
                + launched.links().writesInFlight()));
        return settings;
    }

    @Override
    public void close() {
        if (transport != null) {
            transport.close();
        }
    }

    /** {@return whether the message was taken; false when it is to be offered again} */
    static boolean offer(
        final Publication publication, final DirectBuffer buffer, final int offset, final int length) {
        final long result = publication.offer(buffer, offset, length);
        if (result > 0) {
            return true;
        }
        if (result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION) {
            return false;
        }
        throw new IllegalStateException("offer failed: " + Publication.errorString(result));
    }

    private static final class SluiceSender implements Sender {
        private final ExclusivePublication publication;

        SluiceSender(final ExclusivePublication publication) {
            this.publication = publication;
        }

        @Override
        public boolean isConnected() {
            return publication.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            return SluicePeer.offer(publication, buffer, offset, length);
        }
    }

    private static final class SluiceReceiver implements Receiver {
        private final Subscription subscription;
        private final FragmentHandler handler;
        private final int messageLimit;

        SluiceReceiver(final Subscription subscription, final MessageListener listener, final int messageLimit) {
            this.subscription = subscription;
            this.messageLimit = messageLimit;
            handler = (buffer, offset, length, header) -> listener.onMessage(buffer, offset, length);
        }

        @Override
        public boolean isConnected() {
            return subscription.isConnected();
        }

        @Override
        public int poll() {
            return subscription.poll(handler, messageLimit);
        }
    }
}
