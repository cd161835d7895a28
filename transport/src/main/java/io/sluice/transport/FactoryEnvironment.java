package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.Worker;
import java.util.concurrent.ThreadFactory;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/** The door to the machine of a transport whose agents run on threads of the application's making. Any thread. */
final class FactoryEnvironment extends ForwardingEnvironment {
    private final ThreadFactory threadFactory;

    FactoryEnvironment(final Environment target, final ThreadFactory threadFactory) {
        super(target);
        this.threadFactory = threadFactory;
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        return startWorker(agent, idleStrategy, errorHandler, threadFactory);
    }
}
