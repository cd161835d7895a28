package io.sluice.rpma;

import io.sluice.environment.Environment;
import io.sluice.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * This side of connections: a device and a protection domain on it, rpma_peer_new(3). Any thread may call; what takes a
 * peer of the network along, {@link #requestConnection}, may block for the timeout. Whoever made it closes it, after
 * all that was made of it.
 */
public final class RpmaPeer implements AutoCloseable {
    /** {@code RPMA_UTIL_IBV_CONTEXT_LOCAL} and {@code _REMOTE}. */
    static final int LOCAL = 0;
    static final int REMOTE = 1;

    private final NativePeer peer;
    private final long context;
    /** The contexts of the devices; null when this peer's context was found by an address. */
    private final DeviceContexts contexts;
    private boolean isDeleted;

    RpmaPeer(
        final RpmaLibrary library, final Environment environment, final long context, final DeviceContexts contexts) {
        this.context = context;
        this.contexts = contexts;
        peer = NativePeer.of(library, environment, context);
    }

    /**
     * A peer on the device that has an address of this machine, as a server needs it.
     *
     * @param environment to reach the clock through.
     * @param address     host name or IP address, without a port.
     * @return the peer, owned by the caller.
     * @throws RpmaException                  when no device has it or it cannot be used, with what to do.
     * @throws io.sluice.verbs.VerbsException when a library is missing or too old.
     */
    public static RpmaPeer ofLocalAddress(final Environment environment, final String address) {
        return ofAddress(RpmaLibrary.instance(), environment, address, LOCAL);
    }

    /**
     * A peer on the device that leads to an address of another machine, or of this one, as a client needs it.
     *
     * @param environment to reach the clock through.
     * @param address     host name or IP address, without a port.
     * @return the peer, owned by the caller.
     * @throws RpmaException                  when no device leads there or it cannot be used, with what to do.
     * @throws io.sluice.verbs.VerbsException when a library is missing or too old.
     */
    public static RpmaPeer ofRemoteAddress(final Environment environment, final String address) {
        return ofAddress(RpmaLibrary.instance(), environment, address, REMOTE);
    }

    static RpmaPeer ofAddress(
        final RpmaLibrary library, final Environment environment, final String address, final int type) {
        final String what =
            (type == LOCAL ? "no RDMA device with address=" : "no RDMA device that leads to address=") + address;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            synchronized (library.lock) {
                library.check(library.getContext, what, arena.allocateFrom(address), type, result);
            }
            final long context = result.get(ValueLayout.JAVA_LONG, 0);
            if (context == 0) {
                throw new RpmaException(library.getContext.name(), RpmaError.E_INVAL, Errno.OK,
                    what + ": it is not that of one device; use one that ./sluice devices lists");
            }
            return new RpmaPeer(library, environment, context, null);
        }
    }

    /**
     * A peer on a device.
     *
     * @param environment to reach the clock through.
     * @param name        for example {@code "mlx5_0"}.
     * @return the peer, owned by the caller.
     * @throws RpmaException                  when it cannot be used, with what to do.
     * @throws io.sluice.verbs.VerbsException when there is no such device, or a library is missing or too old.
     */
    public static RpmaPeer ofDevice(final Environment environment, final String name) {
        final RpmaLibrary library = RpmaLibrary.instance();
        final DeviceContexts contexts = DeviceContexts.open();
        try {
            return new RpmaPeer(library, environment, contexts.find(name), contexts);
        } catch (final RuntimeException e) {
            contexts.close();
            throw e;
        }
    }

    /**
     * Whether the device can register memory whose pages are not there, rpma_utils_ibv_context_is_odp_capable(3).
     *
     * @return true when it can.
     * @throws RpmaException when the device does not tell.
     */
    public boolean isOnDemandPagingCapable() {
        final RpmaLibrary library = peer.library();
        peer.objects().attach(library.isOdpCapable.name());
        try {
            return library.number(library.isOdpCapable, context) != 0;
        } finally {
            peer.objects().detach();
        }
    }

    /**
     * Listen for connections, rpma_ep_listen(3).
     *
     * @param address of this machine, without a port.
     * @param port    number or name of a service.
     * @return the endpoint, owned by the caller.
     * @throws RpmaException when the address cannot be listened on.
     */
    public RpmaEndpoint listen(final String address, final String port) {
        return RpmaEndpoint.listen(peer, address, port);
    }

    /**
     * Prepare a connection to another peer, rpma_conn_req_new(3). Blocks until the address and the way are known, at
     * most twice the timeout of the configuration; other threads that set something up or take it down wait, too.
     *
     * @param address       of the other peer, without a port.
     * @param port          number or name of a service.
     * @param configuration of the connection.
     * @return the request, owned by the caller.
     * @throws RpmaException when the peer cannot be reached, or the device has no room.
     */
    public RpmaConnectionRequest requestConnection(
        final String address, final String port, final RpmaConnectionConfiguration configuration) {
        return RpmaConnectionRequest.outgoing(peer, address, port, configuration);
    }

    /**
     * Register new memory, rpma_mr_reg(3): zeroed pages of this process, given back when the region is closed.
     *
     * @param length in bytes, at least 1.
     * @param usages {@link RpmaUsage} flags.
     * @return the region, owned by the caller.
     * @throws RpmaException                  when it is refused.
     * @throws io.sluice.verbs.VerbsException when there is no memory.
     */
    public RpmaMemoryRegion register(final long length, final int usages) {
        return RpmaMemoryRegion.allocate(peer, length, usages);
    }

    /**
     * Register memory that there is, rpma_mr_reg(3), for example a mapped file of persistent memory. It stays the
     * caller's, and must stay as long as the region.
     *
     * @param memory native, at least 1 byte.
     * @param usages {@link RpmaUsage} flags.
     * @return the region, owned by the caller.
     * @throws RpmaException            when it is refused.
     * @throws IllegalArgumentException when the memory is on the heap or read-only.
     */
    public RpmaMemoryRegion register(final MemorySegment memory, final int usages) {
        return RpmaMemoryRegion.of(peer, memory, usages);
    }

    /**
     * Memory of another peer, rpma_mr_remote_from_descriptor(3).
     *
     * @param descriptor as the other peer's {@link RpmaMemoryRegion#descriptor()} has it; more bytes may follow.
     * @return the region, owned by the caller.
     * @throws RpmaException E_INVAL when this is not a descriptor.
     */
    public RpmaRemoteRegion remoteRegion(final byte[] descriptor) {
        return RpmaRemoteRegion.ofDescriptor(peer, descriptor);
    }

    /**
     * A receive queue that several connections draw on, rpma_srq_new(3).
     *
     * @param configuration of its sizes.
     * @return the queue, owned by the caller.
     * @throws RpmaException when the device refuses.
     */
    public RpmaSharedReceiveQueue newSharedReceiveQueue(final RpmaSharedReceiveQueueConfiguration configuration) {
        return RpmaSharedReceiveQueue.create(peer, configuration);
    }

    /**
     * Delete, rpma_peer_delete(3); idempotent.
     *
     * @throws RpmaException E_PROVIDER with EBUSY while something lives that was made of it, and nothing has changed
     *                       then; another error when the device refuses, and the peer is gone all the same.
     */
    @Override
    public synchronized void close() {
        if (isDeleted) {
            return;
        }
        final RpmaLibrary library = peer.library();
        peer.objects().close(library.peerDelete.name());
        isDeleted = true;
        try {
            library.delete(library.peerDelete, "the protection domain stays", peer.handle());
        } finally {
            if (contexts != null) {
                contexts.close();
            }
        }
    }
}
