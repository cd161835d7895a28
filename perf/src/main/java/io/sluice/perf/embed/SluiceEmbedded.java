package io.sluice.perf.embed;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.RestingIdleStrategy;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import org.agrona.concurrent.IdleStrategy;

/** Sluice in one process, with the defaults but for the threads. */
final class SluiceEmbedded implements EmbeddedSystem {
    private static final int MESSAGE_LIMIT = 16;

    private final Context context = new Context();
    private final FragmentHandler handler = (buffer, offset, length, header) -> { };
    /** The wait strategy of the handler's thread; null when the program's thread polls. */
    private final String waitStrategy;
    private Transport transport;
    private ExclusivePublication publication;
    private Subscription first;
    private Subscription subscription;

    private SluiceEmbedded(final String waitStrategy) {
        this.waitStrategy = waitStrategy;
    }

    static SluiceEmbedded invoked() {
        final SluiceEmbedded embedded = new SluiceEmbedded(null);
        embedded.context.threadingMode(ThreadingMode.INVOKER);
        return embedded;
    }

    static SluiceEmbedded threaded(final String pollerStrategy, final String handlerStrategy) {
        final SluiceEmbedded embedded = new SluiceEmbedded(handlerStrategy);
        embedded.context.pollers(new PollerOptions().idleStrategy(pollerStrategy));
        return embedded;
    }

    private boolean isInvoked() {
        return waitStrategy == null;
    }

    @Override
    public void launch(final Path folder) {
        transport = Transport.launch(context.directory(folder));
    }

    @Override
    public void add(final int streamId) {
        final String channel = "sluice:ipc?endpoint=embedded|mode=" + (isInvoked() ? "invoker" : "dedicated");
        subscription = isInvoked() ? transport.addSubscription(channel, streamId)
            : transport.addSubscription(channel, streamId, graph());
        first = first == null ? subscription : first;
        publication = transport.addExclusivePublication(channel, streamId);
    }

    private HandlerGraph graph() {
        final HandlerGraph graph = new HandlerGraph().waitStrategy(waitStrategy);
        graph.handleEventsWith((event, sequence, endOfBatch) -> { });
        return graph;
    }

    @Override
    public boolean isConnected() {
        return publication.isConnected() && subscription.isConnected();
    }

    @Override
    public void remove() {
        publication.close();
        subscription.close();
        subscription = first;
    }

    @Override
    public int cycle() {
        return transport.doWork() + subscription.poll(handler, MESSAGE_LIMIT);
    }

    @Override
    public IdleStrategy idleStrategy() {
        return new RestingIdleStrategy();
    }

    @Override
    public void close() {
        if (transport != null) {
            transport.close();
        }
    }
}
