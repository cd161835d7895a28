package io.sluice.perf.peer;

import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Header;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;

/**
 * Sluice with subscriptions in DEDICATED mode between threads of one process. A stream's poller is stepped by the
 * thread that sends on it, so that only the ring lies between that thread and the consumers; each consumer is stepped
 * by the thread that receives.
 */
final class SluiceRingPeer implements Peer {
    /** One of each stream of a measurement: requests and replies. */
    private static final int POLLERS = 2;
    private static final String PUBLICATION_CHANNEL = "sluice:ipc?endpoint=ring|log=shared|completion=memory";
    private static final String SUBSCRIPTION_CHANNEL =
        PUBLICATION_CHANNEL + "|mode=dedicated|ring=" + Configuration.RING_DEFAULT + "|poller=";

    private final AddedEnds ends = new AddedEnds();
    private final SteppedEnvironment environment = new SteppedEnvironment();
    private final boolean handlers;
    private final Map<Integer, Stream> streams = new LinkedHashMap<>();
    private Transport transport;

    /** A peer with a graph of handlers, or with {@code Subscription.poll}. */
    SluiceRingPeer(final boolean handlers) {
        this.handlers = handlers;
    }

    @Override
    public void launch(final Path folder, final boolean host, final int messageLength) {
        transport = Transport.launch(new Context().directory(folder.resolve("sluice")).environment(environment)
            .pollers(new PollerOptions().count(POLLERS)));
    }

    private Stream stream(final int streamId) {
        return streams.computeIfAbsent(streamId, id -> new Stream(id, streams.size()));
    }

    @Override
    public Sender addSender(final int streamId) {
        final Stream stream = stream(streamId);
        final ExclusivePublication publication = transport.addExclusivePublication(PUBLICATION_CHANNEL, streamId);
        ends.addPublication(publication, publication.channel());
        stream.sender = new RingSender(publication);
        return stream.sender;
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        final RingReceiver receiver = new RingReceiver(listener, messageLimit);
        stream(streamId).receivers.add(receiver);
        return receiver;
    }

    @Override
    public void start() {
        streams.values().forEach(handlers ? this::startHandlers : this::startPolling);
        streams.values().forEach(stream -> stream.sender.poller = environment.poller(stream.poller));
    }

    private void startHandlers(final Stream stream) {
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(stream.receivers.toArray(MessageEventHandler[]::new));
        final Subscription subscription = transport.addSubscription(
            SUBSCRIPTION_CHANNEL + stream.poller, stream.streamId, graph);
        ends.addSubscription(subscription, subscription.channel());
        for (int i = 0; i < stream.receivers.size(); i++) {
            final Agent consumer = environment.consumer(stream.streamId, Integer.toString(i));
            stream.receivers.get(i).start(subscription, () -> step(consumer));
        }
    }

    private void startPolling(final Stream stream) {
        for (final RingReceiver receiver : stream.receivers) {
            final Subscription subscription = transport.addSubscription(
                SUBSCRIPTION_CHANNEL + stream.poller, stream.streamId);
            ends.addSubscription(subscription, subscription.channel());
            receiver.start(subscription, () -> subscription.poll(receiver, receiver.messageLimit));
        }
    }

    private static int step(final Agent agent) {
        try {
            return agent.doWork();
        } catch (final Exception ex) {
            throw new IllegalStateException("an agent ended: agent=" + agent.roleName(), ex);
        }
    }

    @Override
    public Map<String, String> settings() {
        final Map<String, String> settings = new LinkedHashMap<>();
        ends.putInto(settings, "offer, then a poller's cycle for a batch, on one thread",
            handlers ? "a handler graph's consumers on the measured threads" : "poll on the measured threads");
        settings.put("own threads", "agents " + transport.context().threadingMode() + " but pollers and consumers");
        settings.put("log", "window " + transport.context().windowLength() + " B");
        return settings;
    }

    @Override
    public void close() {
        if (transport != null) {
            environment.release();
            transport.close();
        }
    }

    /** The ends of a stream. */
    private static final class Stream {
        private final int streamId;
        private final int poller;
        private final List<RingReceiver> receivers = new ArrayList<>();
        private RingSender sender;

        Stream(final int streamId, final int poller) {
            this.streamId = streamId;
            this.poller = poller;
        }
    }

    private static final class RingSender implements Sender {
        private final ExclusivePublication publication;
        private Agent poller;

        RingSender(final ExclusivePublication publication) {
            this.publication = publication;
        }

        @Override
        public boolean isConnected() {
            flush();
            return publication.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            return SluicePeer.offer(publication, buffer, offset, length);
        }

        @Override
        public void flush() {
            step(poller);
        }
    }

    private static final class RingReceiver implements Receiver, MessageEventHandler, FragmentHandler {
        private final MessageListener listener;
        private final int messageLimit;
        private Subscription subscription;
        private IntSupplier poll;

        RingReceiver(final MessageListener listener, final int messageLimit) {
            this.listener = listener;
            this.messageLimit = messageLimit;
        }

        void start(final Subscription newSubscription, final IntSupplier newPoll) {
            subscription = newSubscription;
            poll = newPoll;
        }

        @Override
        public boolean isConnected() {
            return subscription.isConnected();
        }

        @Override
        public int poll() {
            return poll.getAsInt();
        }

        @Override
        public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
            listener.onMessage(event.buffer(), event.offset(), event.length());
        }

        @Override
        public void onFragment(
            final DirectBuffer buffer, final int offset, final int length, final Header header) {
            listener.onMessage(buffer, offset, length);
        }
    }
}
