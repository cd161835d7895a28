package io.sluice.perf.peer;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.environment.Worker;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * The machine as it is, but for the threads of pollers and consumers: their agents wait to be stepped by the measured
 * threads, so that a measurement has as many threads as the machine has processors. Set up by one thread; each agent is
 * then stepped by one thread, until {@link #release()}.
 */
final class SteppedEnvironment extends ForwardingEnvironment {
    private static final String POLLER = "sluice-poller-";
    private static final String CONSUMER = "sluice-consumer-";

    private final List<SteppedWorker> stepped = new ArrayList<>();

    SteppedEnvironment() {
        super(SystemEnvironment.instance());
    }

    /** The poller of an index in its transport. */
    Agent poller(final int index) {
        return find(POLLER + index);
    }

    /** The consumer of a subscription's handler. */
    Agent consumer(final int streamId, final String handlerName) {
        return find(CONSUMER + streamId + "-" + handlerName);
    }

    private Agent find(final String roleName) {
        return stepped.stream().map(worker -> worker.agent).filter(agent -> agent.roleName().equals(roleName))
            .findFirst().orElseThrow(() -> new IllegalStateException("not started: agent=" + roleName));
    }

    /** Gives each agent a thread, on which it can end as usual, when nobody steps it any more. */
    void release() {
        stepped.forEach(SteppedWorker::release);
    }

    @Override
    public Worker startWorker(
        final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        if (!agent.roleName().startsWith(POLLER) && !agent.roleName().startsWith(CONSUMER)) {
            return super.startWorker(agent, idleStrategy, errorHandler);
        }
        final SteppedWorker worker = new SteppedWorker(agent, errorHandler);
        stepped.add(worker);
        return worker;
    }

    /** A worker without a thread until it is released. */
    private final class SteppedWorker implements Worker {
        private final Agent agent;
        private final ErrorHandler errorHandler;
        private Worker released;

        SteppedWorker(final Agent agent, final ErrorHandler errorHandler) {
            this.agent = agent;
            this.errorHandler = errorHandler;
        }

        synchronized void release() {
            if (released == null) {
                released = SteppedEnvironment.super.startWorker(
                    agent, new SleepingMillisIdleStrategy(1), errorHandler);
            }
        }

        @Override
        public void wake() {
            // whoever steps it does not sleep
        }

        @Override
        public synchronized boolean isCurrent() {
            return released != null && released.isCurrent();
        }

        @Override
        public synchronized void close() {
            release();
            released.close();
        }

        @Override
        public synchronized boolean closeOrAbandon(final long timeoutNs) {
            release();
            return released.closeOrAbandon(timeoutNs);
        }
    }
}
