package io.sluice.environment;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * Another environment, of which a subclass replaces a part: a clock that a test moves, threads that a measurement
 * steps. Any thread may call it as far as the other environment and the subclass allow; the creator owns it.
 */
public abstract class ForwardingEnvironment implements Environment {
    private final Environment target;

    /**
     * Makes an environment that asks everything of another one.
     *
     * @param target that is asked.
     */
    protected ForwardingEnvironment(final Environment target) {
        this.target = target;
    }

    @Override
    public long nanoTime() {
        return target.nanoTime();
    }

    @Override
    public long epochMs() {
        return target.epochMs();
    }

    @Override
    public long epochNs() {
        return target.epochNs();
    }

    @Override
    public long exactEpochNs() {
        return target.exactEpochNs();
    }

    @Override
    public long randomLong() {
        return target.randomLong();
    }

    @Override
    public long processId() {
        return target.processId();
    }

    @Override
    public void yieldCore() {
        target.yieldCore();
    }

    @Override
    public void park(final long durationNs) {
        target.park(durationNs);
    }

    @Override
    public void fenceAllThreads() {
        target.fenceAllThreads();
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        return target.startWorker(agent, idleStrategy, errorHandler);
    }

    @Override
    public Worker startWorker(
        final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler,
        final ThreadFactory threadFactory) {
        return target.startWorker(agent, idleStrategy, errorHandler, threadFactory);
    }

    @Override
    public SharedFiles files() {
        return target.files();
    }

    @Override
    public LocalSockets localSockets() {
        return target.localSockets();
    }

    @Override
    public InetAddress sourceAddress(final InetSocketAddress peer) {
        return target.sourceAddress(peer);
    }

    @Override
    public CompletableFuture<InetAddress> lookUp(final String host) {
        return target.lookUp(host);
    }
}
