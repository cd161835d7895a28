package io.sluice.transport;

import com.lmax.disruptor.Sequence;
import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.agent.BackoffIdleStrategy;
import io.sluice.transport.agent.IdleStrategies;
import io.sluice.transport.receive.ConsumerSleep;
import io.sluice.transport.receive.RingSleepers;
import io.sluice.transport.stream.SubscriptionEnd;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;

/**
 * The consumers of a transport's subscriptions with handler graphs. Each ends by itself with its subscription. Under
 * the transport's lock, but for {@link #doWork()}, which the thread of INVOKER mode calls.
 */
final class Consumers implements AutoCloseable {
    /** The time for consumers that are on their way out; those in their handlers are not waited for. */
    private static final long CLOSE_GRACE_NS = 2_000_000_000L;
    /** The pause between two looks while closing, in nanoseconds. */
    private static final long CLOSE_PARK_NS = 100_000L;

    private final Context context;
    private final Environment environment;
    private final boolean threaded;
    private final ErrorHandler handlerErrors;
    private final ErrorHandler errorHandler;
    private volatile List<Running> running = List.of();

    /**
     * Makes a list without consumers: what handlers throw is told on their own threads, everything else by the
     * transport.
     */
    Consumers(final Context context, final ErrorHandler handlerErrors, final ErrorHandler errorHandler) {
        this.context = context;
        environment = context.environment();
        threaded = context.threadingMode() == ThreadingMode.DEDICATED;
        this.handlerErrors = handlerErrors;
        this.errorHandler = errorHandler;
    }

    /** Make the consumers of a graph gate a subscription's ring. Before the conductor knows the subscription. */
    List<EventConsumer> gate(
        final SubscriptionEnd state, final List<HandlerGraph.Node> nodes, final String waitStrategy) {
        final RingSleepers sleepers = new RingSleepers(waitStrategy.equals(IdleStrategies.BLOCKING), environment);
        final Sequence[] sequences = nodes.stream().map(node -> new Sequence()).toArray(Sequence[]::new);
        state.eventRing().gateOn(sequences);
        final List<EventConsumer> consumers = new ArrayList<>();
        for (final HandlerGraph.Node node : nodes) {
            final BackoffIdleStrategy before = threaded ? IdleStrategies.resting(waitStrategy, environment) : null;
            final boolean isWaitedFor = nodes.stream().anyMatch(other -> other.predecessors().contains(node));
            final ConsumerSleep sleep = before == null ? null : sleepers.add(before, before::isResting, isWaitedFor);
            consumers.add(new EventConsumer(state, node, sequences, sleep, handlerErrors));
        }
        if (consumers.stream().anyMatch(consumer -> consumer.sleep() != null)) {
            state.eventRing().sleepers(sleepers);
        }
        return consumers;
    }

    /** Start them all; when one cannot be, its subscription must be closed, which ends the others. */
    void start(final List<EventConsumer> consumers, final String waitStrategy) {
        final List<Running> next = new ArrayList<>(running);
        next.removeIf(other -> other.consumer.hasEnded());
        try {
            for (final EventConsumer consumer : consumers) {
                if (threaded) {
                    next.add(new Running(consumer, startWorker(consumer, waitStrategy)));
                } else {
                    consumer.onStart();
                    next.add(new Running(consumer, null));
                }
            }
        } finally {
            running = next;
        }
    }

    private Worker startWorker(final EventConsumer consumer, final String waitStrategy) {
        final ConsumerSleep sleep = consumer.sleep();
        if (sleep == null) {
            return environment.startWorker(consumer, context.idleStrategy(
                consumer, () -> IdleStrategies.create(waitStrategy, environment), errorHandler), errorHandler);
        }
        final Worker worker = environment.startWorker(
            consumer, context.idleStrategy(consumer, () -> sleep, errorHandler), errorHandler);
        sleep.waker(worker::wake);
        // it may have gone to sleep when nobody could wake it
        worker.wake();
        return worker;
    }

    /** Whether one of them was started: its handler may run until it has ended. */
    boolean isAnyStarted(final List<EventConsumer> consumers) {
        return running.stream().anyMatch(started -> consumers.contains(started.consumer));
    }

    /** The handler that the calling thread is in, or null. */
    String within() {
        for (final Running consumer : running) {
            if (consumer.worker != null && consumer.worker.isCurrent()) {
                return consumer.consumer.roleName();
            }
        }
        return null;
    }

    int doWork() {
        int work = 0;
        final List<Running> current = running;
        for (int i = 0; i < current.size(); i++) {
            work += step(current.get(i).consumer);
        }
        return work;
    }

    /**
     * Lets a consumer without a thread take a step. Unlike one with a thread, it does not end when its thread, the
     * application's, is interrupted.
     */
    private int step(final EventConsumer consumer) {
        if (consumer.hasEnded()) {
            return 0;
        }
        try {
            return consumer.doWork();
        } catch (final AgentTerminationException ex) {
            consumer.onClose();
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        }
        return 0;
    }

    /** Wait for the threads. One that is still in its handler was abandoned with its memory, and is left alone. */
    @Override
    public void close() {
        if (!threaded) {
            doWork();
            return;
        }
        final long deadlineNs = environment.nanoTime() + CLOSE_GRACE_NS;
        for (final Running consumer : running) {
            consumer.worker.wake();
        }
        for (final Running consumer : running) {
            while (!consumer.consumer.hasEnded() && consumer.consumer.isOutside()
                && environment.nanoTime() - deadlineNs < 0) {
                environment.park(CLOSE_PARK_NS);
            }
            if (consumer.consumer.hasEnded()) {
                consumer.worker.close();
            }
        }
    }

    /** A consumer with its thread, or without one when it is stepped. */
    private record Running(EventConsumer consumer, Worker worker) {
    }
}
