package io.sluice.verbs.rdma;

import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The connection manager as a device uses it: it listens and connects over one channel, and has listeners that the
 * device's absence has ended listen again. The channel's monitor guards it.
 */
final class ConnectionManager {
    /**
     * Pause between two tries to listen at an address that was there before the device went, and may come back later.
     */
    private static final long LISTEN_INTERVAL_NS = 500_000_000L;

    private final DeviceContext device;
    private final ConnectionChannel channel;
    /** Listeners that the device's absence has ended, and that are to listen again. */
    private final Set<ManagedListener> released = new LinkedHashSet<>();
    private long nextListenNs;
    private String listenProblem = "";

    ConnectionManager(final DeviceContext device) {
        this.device = device;
        channel = new ConnectionChannel(device);
    }

    Listener listen(final String address, final int backlog) {
        if (backlog < 1) {
            throw new VerbsException("rdma_listen", Errno.EINVAL, "backlog=" + backlog + " is not at least 1");
        }
        final InetSocketAddress socket = SocketAddresses.parse("rdma_listen", address);
        return device.whileOpen("rdma_listen", () -> {
            channel.open();
            synchronized (channel) {
                return ManagedListener.open(channel, released, address, socket, backlog);
            }
        });
    }

    Connection connect(
        final String address, final ReliableQueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        Handshake.checkLength("rdma_connect", privateData, Connection.MAX_CONNECT_PRIVATE_DATA);
        queuePair.requireInit("rdma_connect");
        final InetSocketAddress socket = SocketAddresses.parse("rdma_connect", address);
        return device.whileOpen("rdma_connect", () -> {
            channel.open();
            synchronized (channel) {
                return ManagedConnection.connect(channel, address, socket, queuePair, privateData, timeoutNs);
            }
        });
    }

    /** Lets go of the device, see {@link ConnectionChannel#release}. */
    void release(final boolean isRemoved) {
        channel.release(isRemoved);
    }

    /** Takes the device back: its listeners listen again, now or as soon as their addresses are there, too. */
    void restore() {
        synchronized (channel) {
            nextListenNs = device.environment().nanoTime();
            listenProblem = "";
        }
    }

    /**
     * Listen again; the monitor is held.
     *
     * @throws VerbsException that says why not, once for each reason.
     */
    private void listenAgain() {
        final long nowNs = device.environment().nanoTime();
        if (released.isEmpty() || nowNs - nextListenNs < 0 || device.presence().isUnderWay()) {
            return;
        }
        nextListenNs = nowNs + LISTEN_INTERVAL_NS;
        VerbsException failure = null;
        for (final ManagedListener listener : List.copyOf(released)) {
            try {
                listener.restore();
                released.remove(listener);
            } catch (final VerbsException e) {
                failure = e;
            }
        }
        final String problem = failure == null ? "" : failure.getMessage();
        if (failure != null && !problem.equals(listenProblem)) {
            listenProblem = problem;
            throw failure;
        }
        listenProblem = problem;
    }

    /** Do the device's part of it, and handle the events that are there; number of them. */
    int doDuties() {
        synchronized (channel) {
            listenAgain();
            return channel.poll();
        }
    }

    void close() {
        channel.close();
    }
}
