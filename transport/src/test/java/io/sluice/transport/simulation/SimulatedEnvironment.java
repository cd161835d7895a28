package io.sluice.transport.simulation;

import io.sluice.environment.Environment;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.Worker;
import java.util.SplittableRandom;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/** What one process sees of the simulated machine. */
final class SimulatedEnvironment implements Environment {
    private static final long EPOCH_MS = 1_700_000_000_000L;

    private final SimulatedMachine machine;
    private final long processId;
    private final SplittableRandom random;

    SimulatedEnvironment(final SimulatedMachine machine, final long processId, final SplittableRandom random) {
        this.machine = machine;
        this.processId = processId;
        this.random = random;
    }

    @Override
    public long nanoTime() {
        machine.onClockRead();
        return machine.nowNs();
    }

    @Override
    public long epochMs() {
        return EPOCH_MS + machine.nowNs() / 1_000_000;
    }

    @Override
    public long randomLong() {
        return random.nextLong();
    }

    @Override
    public long processId() {
        return processId;
    }

    @Override
    public void park(final long durationNs) {
        machine.park(durationNs);
    }

    /** There is one thread. */
    @Override
    public void fenceAllThreads() {
        machine.checkThread();
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        return machine.start(agent.roleName() + "@" + processId, agent, idleStrategy, errorHandler);
    }

    @Override
    public SharedFiles files() {
        return machine.files();
    }

    @Override
    public LocalSockets localSockets() {
        return machine.sockets();
    }
}
