package io.sluice.environment;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * The real machine. Any thread may call; there is one per process, nothing to own and nothing to close. Simulations
 * hand in an {@link Environment} of their own instead.
 */
public final class SystemEnvironment implements Environment {
    private static final SystemEnvironment INSTANCE = new SystemEnvironment();

    private final WallClock wallClock = new WallClock(
        System::nanoTime, System::currentTimeMillis, SystemEpochNanoClock.INSTANCE::nanoTime);
    private final SecureRandom random = new SecureRandom();
    private final SharedFiles files = new SystemFiles();
    private final LocalSockets localSockets = new SystemLocalSockets();
    private final LookUps lookUps = new LookUps(InetAddress::getByName);

    private SystemEnvironment() {
    }

    /**
     * The environment of this process.
     *
     * @return always the same one.
     */
    public static SystemEnvironment instance() {
        return INSTANCE;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochMs() {
        return System.currentTimeMillis();
    }

    @Override
    public long epochNs() {
        return wallClock.epochNs();
    }

    @Override
    public long exactEpochNs() {
        return SystemEpochNanoClock.INSTANCE.nanoTime();
    }

    @Override
    public long randomLong() {
        return random.nextLong();
    }

    @Override
    public long processId() {
        return ProcessHandle.current().pid();
    }

    @Override
    public void yieldCore() {
        Thread.yield();
    }

    @Override
    public void park(final long durationNs) {
        LockSupport.parkNanos(durationNs);
    }

    /**
     * {@inheritDoc}
     * <p>
     * Closing a shared arena makes the JDK shake hands with every Java thread, one by one, before it returns: the JDK
     * must know that no thread is inside an access to the arena's memory. A running thread answers at its next
     * safepoint poll, which orders everything before it with everything after it; for a thread that is blocked or in
     * native code the JDK answers, and the thread passes a fence on its way back. So each thread has passed a full
     * fence, and none pays for it on its data path. Threads that never run Java code are not covered.
     * <p>
     * The cheap half must still keep the compiler from moving its load above its store, and so above the poll between
     * them: make both opaque, or a release store and an acquire load. On x86 these are plain instructions.
     */
    @Override
    public void fenceAllThreads() {
        // The handshake is with the others: this thread's own store must be ordered before it, and its loads after it.
        VarHandle.fullFence();
        Arena.ofShared().close();
        VarHandle.fullFence();
    }

    @Override
    public Worker startWorker(final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        return SystemWorker.start(agent, idleStrategy, errorHandler, SystemWorker.DAEMONS);
    }

    @Override
    public Worker startWorker(
        final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler,
        final ThreadFactory threadFactory) {
        return SystemWorker.start(agent, idleStrategy, errorHandler, threadFactory);
    }

    @Override
    public SharedFiles files() {
        return files;
    }

    @Override
    public LocalSockets localSockets() {
        return localSockets;
    }

    /** {@inheritDoc} A datagram socket that is connected has asked the routes, and has sent nothing. */
    @Override
    public InetAddress sourceAddress(final InetSocketAddress peer) {
        final ProtocolFamily family = peer.getAddress() instanceof Inet6Address
            ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (DatagramChannel channel = DatagramChannel.open(family)) {
            channel.connect(peer);
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        } catch (final IOException | UnsupportedOperationException e) {
            // No route, or none of that family, which is an answer.
            return null;
        }
    }

    @Override
    public CompletableFuture<InetAddress> lookUp(final String host) {
        return lookUps.lookUp(host);
    }
}
