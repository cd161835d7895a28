package io.sluice.transport;

import com.lmax.disruptor.Sequence;
import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.connection.IdleStrategies;
import io.sluice.transport.connection.SubscriptionState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;

/**
 * The consumers of a transport's subscriptions with handler graphs. Each ends by itself with its subscription. Under
 * the transport's lock, but for {@link #doWork()}, which the thread of INVOKER mode calls.
 */
final class Consumers implements AutoCloseable {
    private final Environment environment;
    private final boolean threaded;
    private final ErrorHandler handlerErrors;
    private final ErrorHandler errorHandler;
    private final List<Running> running = new CopyOnWriteArrayList<>();

    Consumers(final Context context, final ErrorHandler errorHandler) {
        environment = context.environment();
        threaded = context.threadingMode() == ThreadingMode.DEDICATED;
        handlerErrors = context.errorHandler();
        this.errorHandler = errorHandler;
    }

    /** Make the consumers of a graph gate a subscription's ring. Before the conductor knows the subscription. */
    List<EventConsumer> gate(final SubscriptionState registration, final List<HandlerGraph.Node> nodes) {
        final Sequence[] sequences = nodes.stream().map(node -> new Sequence()).toArray(Sequence[]::new);
        registration.eventRing().gateOn(sequences);
        final List<EventConsumer> consumers = new ArrayList<>();
        for (final HandlerGraph.Node node : nodes) {
            consumers.add(new EventConsumer(registration, node, sequences, handlerErrors));
        }
        return consumers;
    }

    void start(final List<EventConsumer> consumers, final String waitStrategy) {
        running.removeIf(other -> other.consumer.hasEnded());
        for (final EventConsumer consumer : consumers) {
            if (threaded) {
                running.add(new Running(consumer, environment.startWorker(
                    consumer, IdleStrategies.create(waitStrategy, environment), errorHandler), null));
            } else {
                final AgentInvoker invoker = new AgentInvoker(errorHandler, null, consumer);
                invoker.start();
                running.add(new Running(consumer, null, invoker));
            }
        }
    }

    int doWork() {
        int work = 0;
        for (final Running consumer : running) {
            work += consumer.invoker == null ? 0 : consumer.invoker.invoke();
        }
        return work;
    }

    /** Wait for the threads. One that is still in its handler was abandoned with its memory, and is left alone. */
    @Override
    public void close() {
        for (final Running consumer : running) {
            if (consumer.worker != null && consumer.consumer.isOutside()) {
                consumer.worker.close();
            }
        }
    }

    /** A consumer with its thread, or with what steps it. */
    private record Running(EventConsumer consumer, Worker worker, AgentInvoker invoker) {
    }
}
