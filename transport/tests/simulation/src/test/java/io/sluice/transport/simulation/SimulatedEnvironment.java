package io.sluice.transport.simulation;

import io.sluice.environment.Environment;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/** The environment that one process has on the simulated machine. */
final class SimulatedEnvironment implements Environment {
    private static final long EPOCH_MS = 1_700_000_000_000L;

    private final SimulatedMachine machine;
    private final long processId;
    private final SplittableRandom random;
    private final SimulatedFiles files;
    private final SimulatedSockets sockets;

    SimulatedEnvironment(final SimulatedMachine machine, final long processId, final SplittableRandom random) {
        this.machine = machine;
        this.processId = processId;
        this.random = random;
        files = new SimulatedFiles(machine.disk());
        sockets = new SimulatedSockets(machine, random.split());
    }

    /** The process dies between two steps: what it held, others see gone at once. */
    void die() {
        machine.remove(processId);
        sockets.die();
        files.die();
    }

    void leak() {
        try {
            files.create(Path.of("/simulated/leaked"), 1);
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Everything is closed: nothing may be left of it. */
    void checkReleased() {
        if (files.mappingCount() != 0 || sockets.openCount() != 0) {
            throw new AssertionError("process " + processId + " has closed everything, and still has mappings="
                + files.mappingCount() + " sockets=" + sockets.openCount());
        }
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
    public long epochNs() {
        return EPOCH_MS * 1_000_000 + machine.nowNs();
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
    public void yieldCore() {
        // whose turn it is, is the scheduler's choice anyway
    }

    @Override
    public void park(final long durationNs) {
        machine.park(durationNs);
    }

    /** Check only that the caller is the one thread that there is. */
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
        return files;
    }

    @Override
    public LocalSockets localSockets() {
        return sockets;
    }

    /** The address is of no use, since nothing that is simulated goes over a network. */
    @Override
    public InetAddress sourceAddress(final InetSocketAddress peer) {
        throw new UnsupportedOperationException("peer=" + peer);
    }

    /** Nor has anything a name. */
    @Override
    public CompletableFuture<InetAddress> lookUp(final String host) {
        throw new UnsupportedOperationException("host=" + host);
    }
}
