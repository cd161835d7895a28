package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.connection.AgentMeter;
import io.sluice.transport.connection.ParkingIdleStrategy;
import io.sluice.transport.connection.TaskAgent;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * The agents that run the application's code off the data path, each on a thread of its own: image handlers, which the
 * messages of an image wait for, and listeners of back-pressure and errors, which nothing waits for. The transport owns
 * it; in INVOKER mode the application's thread runs both.
 */
final class Callbacks implements AutoCloseable {
    /** How long the threads sleep, which are woken for every task. */
    private static final long TASK_PARK_NS = 100_000_000L;
    /** Errors, changes of back-pressure and images that may wait for user code. */
    private static final int CAPACITY = 1024;

    private final Environment environment;
    private final TaskAgent images;
    private final TaskAgent listeners;
    private final AgentMeter imagesMeter;
    private final AgentMeter listenersMeter;
    private final List<Worker> workers = new ArrayList<>();

    Callbacks(final Environment environment, final ErrorHandler errorHandler) {
        this.environment = environment;
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
    void start(final ErrorHandler errorHandler) {
        start(images, imagesMeter, errorHandler);
        start(listeners, listenersMeter, errorHandler);
    }

    private void start(final TaskAgent agent, final AgentMeter meter, final ErrorHandler errorHandler) {
        final Worker worker = environment.startWorker(
            meter, new ParkingIdleStrategy(environment, () -> TASK_PARK_NS), errorHandler);
        workers.add(worker);
        agent.waker(worker::wake);
    }

    int doWork() {
        return imagesMeter.doWork() + listenersMeter.doWork();
    }

    /** What is left is run by the caller. */
    @Override
    public void close() {
        CloseHelper.closeAll(workers);
        images.doWork();
        listeners.doWork();
    }
}
