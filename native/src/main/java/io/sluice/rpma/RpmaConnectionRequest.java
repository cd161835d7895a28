package io.sluice.rpma;

import io.sluice.rpma.generated.rpma_conn_private_data;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Guard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A connection that is prepared and not yet there, rpma_conn_req_new(3), rpma_ep_next_conn_req(3). One thread. It ends
 * with {@link #connect}, or {@link #close()}, which refuses the other peer's.
 */
public final class RpmaConnectionRequest implements AutoCloseable {
    private final NativePeer peer;
    private final ConnectionResources resources;
    private final long handle;
    private final Guard guard = new Guard();
    private final byte[] privateData;
    private final int maxDataLength;
    private volatile boolean isShut;
    private boolean isEnded;

    private RpmaConnectionRequest(
        final ConnectionResources resources, final long handle, final int maxDataLength) {
        this.handle = handle;
        this.maxDataLength = maxDataLength;
        peer = resources.peer();
        final RpmaLibrary library = peer.library();
        privateData = library.privateData(library.connReqGetPrivateData, handle);
        peer.objects().add(guard);
        this.resources = resources.keep();
    }

    /** Wrap a request of another peer. */
    static RpmaConnectionRequest incoming(final ConnectionResources resources, final long handle) {
        return of(resources, handle, Connection.MAX_ACCEPT_PRIVATE_DATA);
    }

    /** Wrap a request that the library has made; when this fails it is deleted, and the resources are not kept. */
    private static RpmaConnectionRequest of(
        final ConnectionResources resources, final long handle, final int maxDataLength) {
        try {
            return new RpmaConnectionRequest(resources, handle, maxDataLength);
        } catch (final RuntimeException e) {
            final RpmaLibrary library = resources.peer().library();
            library.discard(library.connReqDelete, handle, e);
            throw e;
        }
    }

    static RpmaConnectionRequest outgoing(
        final NativePeer peer,
        final String address,
        final String port,
        final RpmaConnectionConfiguration configuration) {
        final RpmaLibrary library = peer.library();
        try (Arena arena = Arena.ofConfined();
            ConnectionResources resources = ConnectionResources.attach(peer, configuration, library.connReqNew.name());
            NativeConfiguration values = configuration.toNative(library)) {
            final long handle;
            synchronized (library.lock) {
                handle = library.create(library.connReqNew, "no connection to address=" + address + " port=" + port,
                    peer.handle(), arena.allocateFrom(address), arena.allocateFrom(port), values.handle());
            }
            return of(resources, handle, Connection.MAX_CONNECT_PRIVATE_DATA);
        }
    }

    /**
     * Have a message received as soon as there is a connection, rpma_conn_req_recv(3): before the other peer can send.
     *
     * @param destination   of the same peer, with {@link RpmaUsage#RECEIVE}; here not null, not even for a message
     *                      without bytes.
     * @param offset        in it, in bytes.
     * @param length        longest message, in bytes.
     * @param workRequestId that its completion has.
     * @return 0 or one of {@link RpmaError}: E_INVAL for a bad argument or an ended request, E_PROVIDER when the queue
     * is full.
     */
    public int receive(
        final RpmaMemoryRegion destination, final long offset, final int length, final long workRequestId) {
        guard.enter();
        try {
            return isShut || length < 0 || destination != null && !destination.isOf(peer) ? RpmaError.E_INVAL
                : peer.library().calls().connReqRecv(
                    handle, destination == null ? 0 : destination.handle(), offset, length, workRequestId);
        } finally {
            guard.leave();
        }
    }

    /**
     * The private data that the other peer has sent along, rpma_conn_req_get_private_data(3). The network may have
     * added zeros.
     *
     * @return a copy; empty when there is nothing or the request is this side's.
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Connect, or accept the other peer's request, rpma_conn_req_connect(3). Does not wait: the connection tells by
     * {@link RpmaConnection#nextEvent} how it went, and is not there before that is asked. The request has ended then,
     * also when this fails.
     *
     * @param data sent along, up to {@link Connection#MAX_CONNECT_PRIVATE_DATA} bytes with a request and
     *             {@link Connection#MAX_ACCEPT_PRIVATE_DATA} with an acceptance; empty for none.
     * @return the connection, owned by the caller.
     * @throws RpmaException            when the library refuses, for example because the other peer is gone, E_INVAL
     *                                  when the request has ended.
     * @throws IllegalArgumentException when there are too many bytes; the request goes on then.
     */
    public synchronized RpmaConnection connect(final byte[] data) {
        if (data.length > maxDataLength) {
            throw new IllegalArgumentException("data.length=" + data.length + " is not in 0.." + maxDataLength);
        }
        final RpmaLibrary library = peer.library();
        if (isEnded) {
            throw new RpmaException(
                library.connReqConnect.name(), RpmaError.E_INVAL, Errno.OK, "the request has ended");
        }
        end(library.connReqConnect.name());
        try (Arena arena = Arena.ofConfined(); ConnectionResources own = resources) {
            MemorySegment along = MemorySegment.NULL;
            if (data.length > 0) {
                along = rpma_conn_private_data.allocate(arena);
                rpma_conn_private_data.ptr(along, RpmaLibrary.copy(arena, data));
                rpma_conn_private_data.len(along, (byte) data.length);
            }
            final MemorySegment request = arena.allocateFrom(ValueLayout.JAVA_LONG, handle);
            final long connection;
            synchronized (library.lock) {
                connection = library.create(library.connReqConnect, "no connection", request, along);
            }
            return RpmaConnection.of(own, connection);
        }
    }

    /** End the request: no thread uses it from now on. */
    private void end(final String call) {
        isShut = true;
        Guard.awaitClear(peer.objects().environment(), call, "a request", guard);
        isEnded = true;
        peer.objects().remove(guard);
    }

    /**
     * Connect without sending anything along.
     *
     * @return the connection, owned by the caller.
     * @throws RpmaException when the library refuses, E_INVAL when the request has ended.
     */
    public RpmaConnection connect() {
        return connect(new byte[0]);
    }

    /**
     * Delete the request, rpma_conn_req_delete(3); idempotent, and does nothing after {@link #connect}. The other
     * peer's is refused.
     *
     * @throws RpmaException when the library refuses; the request is gone all the same.
     */
    @Override
    public synchronized void close() {
        if (isEnded) {
            return;
        }
        final RpmaLibrary library = peer.library();
        end(library.connReqDelete.name());
        try {
            synchronized (library.lock) {
                library.delete(library.connReqDelete, "a request stays", handle);
            }
        } finally {
            resources.close();
        }
    }
}
