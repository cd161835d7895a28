package io.sluice.transport.harness;

import io.sluice.environment.Environment;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.environment.Worker;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * The real machine, for tests that replace a part of it. Any thread.
 */
public class SystemEnvironmentView implements Environment {
    private final SystemEnvironment system = SystemEnvironment.instance();

    @Override
    public long nanoTime() {
        return system.nanoTime();
    }

    @Override
    public long epochMs() {
        return system.epochMs();
    }

    @Override
    public long epochNs() {
        return system.epochNs();
    }

    @Override
    public long randomLong() {
        return system.randomLong();
    }

    @Override
    public long processId() {
        return system.processId();
    }

    @Override
    public void park(final long durationNs) {
        system.park(durationNs);
    }

    @Override
    public void fenceAllThreads() {
        system.fenceAllThreads();
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        return system.startWorker(agent, idleStrategy, errorHandler);
    }

    @Override
    public SharedFiles files() {
        return system.files();
    }

    @Override
    public LocalSockets localSockets() {
        return system.localSockets();
    }
}
