package io.sluice.transport.harness;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.environment.Worker;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * The real machine, on which the thread of one agent cannot be started or dies while it idles. Any thread.
 */
public final class DyingThread extends ForwardingEnvironment {
    private final String roleNameEnd;
    private final String how;
    private volatile boolean dies;

    /**
     * A machine on which nothing has died yet.
     *
     * @param roleNameEnd of the agent.
     * @param how         {@code start}: it never begins; {@code error}, {@code termination}, {@code interrupt}.
     */
    public DyingThread(final String roleNameEnd, final String how) {
        super(SystemEnvironment.instance());
        this.roleNameEnd = roleNameEnd;
        this.how = how;
    }

    /** The next time that the agent idles. */
    public void die() {
        dies = true;
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        if (!agent.roleName().endsWith(roleNameEnd)) {
            return super.startWorker(agent, idleStrategy, errorHandler);
        }
        if (how.equals("start")) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return super.startWorker(agent, new Idling(), errorHandler);
    }

    private final class Idling implements IdleStrategy {
        @Override
        public void idle(final int workCount) {
            idle();
        }

        @Override
        public void idle() {
            if (dies) {
                Thread.currentThread().setUncaughtExceptionHandler((thread, ex) -> { });
                switch (how) {
                    case "error" -> throw new NoClassDefFoundError("from idle");
                    case "termination" -> throw new AgentTerminationException("from idle");
                    default -> Thread.currentThread().interrupt();
                }
            }
            YieldingIdleStrategy.INSTANCE.idle();
        }

        @Override
        public void reset() {
        }
    }
}
