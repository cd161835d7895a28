package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.agent.AgentMeter;
import io.sluice.transport.agent.ParkingIdleStrategy;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.agent.TransportErrors;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * The agents that run the application's code off the data path, each on a thread of its own: image handlers, which the
 * messages of an image wait for, and listeners of back-pressure and errors, which nothing waits for. The transport owns
 * it; in INVOKER mode the application's thread runs both. Closing waits for user code, but not for ever: a thread that
 * does not come back from it is left alone, counted, and told of on the other thread.
 */
final class Callbacks implements AutoCloseable {
    /** The longest sleep of the threads, which are woken for every task. */
    private static final long TASK_PARK_NS = 1_000_000_000L;
    /**
     * The number of tasks that each agent has room for: errors, changes of back-pressure and images that wait for user
     * code.
     */
    private static final int CAPACITY = 1024;
    /** The time that the close waits for user code that is still running. */
    private static final long CLOSE_GRACE_NS = 2_000_000_000L;
    /** The time between two looks during that wait. */
    private static final long CLOSE_PARK_NS = 100_000L;
    /**
     * The time that a thread which is in user code after that wait gets to end, and once more when it was interrupted.
     */
    private static final long END_TIMEOUT_NS = 100_000_000L;

    private final Context context;
    private final Environment environment;
    private final TaskAgent images;
    private final TaskAgent listeners;
    private final AgentMeter imagesMeter;
    private final AgentMeter listenersMeter;
    private final LiveCounters counters;
    private final ErrorHandler errorHandler;
    private final CloseHandlers closeHandlers;
    private Worker imagesWorker;
    private Worker listenersWorker;
    private boolean isClosing;

    Callbacks(
        final Context context,
        final LiveCounters counters,
        final ErrorHandler errorHandler) {
        this.context = context;
        environment = context.environment();
        closeHandlers = new CloseHandlers(context.closeHandler(), errorHandler);
        this.counters = counters;
        this.errorHandler = errorHandler;
        images = new TaskAgent("sluice-callbacks", CAPACITY, errorHandler);
        listeners = new TaskAgent("sluice-listeners", CAPACITY, errorHandler);
        imagesMeter = new AgentMeter(images, environment);
        listenersMeter = new AgentMeter(listeners, environment);
    }

    /** The agent that runs image handlers. */
    TaskAgent images() {
        return images;
    }

    /** The agent that runs listeners of back-pressure and errors. */
    TaskAgent listeners() {
        return listeners;
    }

    /** The handlers of the transport's close, which its thread calls when everything else has ended. */
    CloseHandlers closeHandlers() {
        return closeHandlers;
    }

    List<AgentMeter> meters() {
        return List.of(imagesMeter, listenersMeter);
    }

    /** Give each agent a thread. */
    void start() {
        imagesWorker = start(images, imagesMeter, listeners);
        listenersWorker = start(listeners, listenersMeter, images);
    }

    private Worker start(final TaskAgent agent, final AgentMeter meter, final TaskAgent other) {
        final ErrorHandler reporting = error -> report(error, other);
        final Worker worker = environment.startWorker(new OnOwnThread(meter), context.idleStrategy(
            agent, () -> new ParkingIdleStrategy(environment, () -> TASK_PARK_NS), reporting), reporting);
        agent.waker(worker::wake);
        return worker;
    }

    /**
     * Reports an error of one agent's thread through the other agent, or in the log when that one hangs at the close.
     */
    private void report(final Throwable caught, final TaskAgent other) {
        final TransportException error =
            TransportErrors.of(ErrorKind.ABANDONED, "an agent has failed", caught, UnaryOperator.identity());
        if (isClosing && !other.isIdle()) {
            TransportLog.notice(error.getMessage());
        } else {
            other.submit(() -> errorHandler.onError(error));
        }
    }

    /** The agent that the calling thread is in, or null. */
    String within() {
        if (imagesWorker != null && imagesWorker.isCurrent()) {
            return images.roleName();
        }
        return listenersWorker != null && listenersWorker.isCurrent() ? listeners.roleName() : null;
    }

    int doWork() {
        return (images.isIdle() ? 0 : imagesMeter.doWork()) + (listeners.isIdle() ? 0 : listenersMeter.doWork());
    }

    /**
     * Ends both agents: the caller runs the tasks that come too late for a thread, unless they wait behind one that
     * hangs.
     */
    @Override
    public void close() {
        isClosing = true;
        if (imagesWorker != null) {
            awaitIdle(images, listeners);
        }
        if (images.isIdle()) {
            // who hangs is closed first, and told of by who does not
            close(listeners, listenersWorker);
            awaitIdle(images, images);
            close(images, imagesWorker);
        } else {
            close(images, imagesWorker);
            awaitIdle(listeners, listeners);
            close(listeners, listenersWorker);
        }
    }

    private void awaitIdle(final TaskAgent one, final TaskAgent other) {
        final long deadlineNs = environment.nanoTime() + CLOSE_GRACE_NS;
        while (!(one.isIdle() && other.isIdle()) && environment.nanoTime() - deadlineNs < 0) {
            environment.park(CLOSE_PARK_NS);
        }
    }

    /** An agent whose thread goes on when a handler of the program leaves it interrupted: it ends by other means. */
    private record OnOwnThread(AgentMeter meter) implements Agent {
        @Override
        public int doWork() {
            try {
                return meter.doWork();
            } finally {
                Thread.interrupted();
            }
        }

        @Override
        public String roleName() {
            return meter.roleName();
        }
    }

    private void close(final TaskAgent agent, final Worker worker) {
        final boolean hangs = worker != null && !agent.isIdle();
        if (worker != null && !worker.closeOrAbandon(hangs ? END_TIMEOUT_NS : CLOSE_GRACE_NS)) {
            counters.increment(TransportCounter.CALLBACKS_ABANDONED);
        } else if (!hangs) {
            agent.doWork();
        }
    }
}
