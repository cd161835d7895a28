package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.agent.AgentMeter;
import io.sluice.transport.agent.ParkingIdleStrategy;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import org.agrona.ErrorHandler;

/**
 * The agents that run the application's code off the data path, each on a thread of its own: image handlers, which the
 * messages of an image wait for, and listeners of back-pressure and errors, which nothing waits for. The transport owns
 * it; in INVOKER mode the application's thread runs both. Closing waits for user code, but not for ever: a thread that
 * does not come back from it is left alone, counted, and told of on the other thread.
 */
final class Callbacks implements AutoCloseable {
    /** How long the threads sleep, which are woken for every task. */
    private static final long TASK_PARK_NS = 100_000_000L;
    /** Errors, changes of back-pressure and images that may wait for user code. */
    private static final int CAPACITY = 1024;
    /** For user code that is still running at the close. */
    private static final long CLOSE_GRACE_NS = 2_000_000_000L;
    /** Between looks meanwhile. */
    private static final long CLOSE_PARK_NS = 100_000L;
    /** For a thread that has had all the time there is, before and after it is interrupted. */
    private static final long END_TIMEOUT_NS = 100_000_000L;

    private final Environment environment;
    private final TaskAgent images;
    private final TaskAgent listeners;
    private final AgentMeter imagesMeter;
    private final AgentMeter listenersMeter;
    private final LiveCounters counters;
    private final ErrorHandler errorHandler;
    private Worker imagesWorker;
    private Worker listenersWorker;
    private boolean isClosing;

    Callbacks(final Environment environment, final LiveCounters counters, final ErrorHandler errorHandler) {
        this.environment = environment;
        this.counters = counters;
        this.errorHandler = errorHandler;
        images = new TaskAgent("sluice-callbacks", CAPACITY, errorHandler);
        listeners = new TaskAgent("sluice-listeners", CAPACITY, errorHandler);
        imagesMeter = new AgentMeter(images, environment);
        listenersMeter = new AgentMeter(listeners, environment);
    }

    /** For image handlers. */
    TaskAgent images() {
        return images;
    }

    /** For listeners of back-pressure and errors. */
    TaskAgent listeners() {
        return listeners;
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
        final Worker worker = environment.startWorker(
            meter, new ParkingIdleStrategy(environment, () -> TASK_PARK_NS), error -> report(error, other));
        agent.waker(worker::wake);
        return worker;
    }

    /** A thread tells of its agent, at the close of one that hangs, so that its user code cannot be asked. */
    private void report(final Throwable error, final TaskAgent other) {
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
        return imagesMeter.doWork() + listenersMeter.doWork();
    }

    /** What comes too late for the threads is run by the caller, unless it comes behind something that hangs. */
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

    private void close(final TaskAgent agent, final Worker worker) {
        final boolean hangs = worker != null && !agent.isIdle();
        if (worker != null && !worker.closeOrAbandon(hangs ? END_TIMEOUT_NS : CLOSE_GRACE_NS)) {
            counters.increment(TransportCounter.CALLBACKS_ABANDONED);
        } else if (!hangs) {
            agent.doWork();
        }
    }
}
