package io.sluice.verbs.rdma;

import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.rdma_conn_param;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A connection by the connection manager. The queue pair is the caller's, so its transitions are made here, with the
 * attributes that the connection manager tells. All state is guarded by the channel's monitor.
 */
final class ManagedConnection implements Connection, ConnectionChannel.Endpoint {
    /** Time for a step of the resolution; the caller's timeout is looked at besides. */
    private static final int RESOLVE_TIMEOUT_MS = 5000;
    /** The largest that the parameters' byte holds: a server says in its answer what it grants. */
    private static final int ANY_DEPTH = 0xff;
    private static final byte[] NOTHING = {};

    private final ConnectionChannel channel;
    private final ReliableQueuePair queuePair;
    private final boolean isClient;
    private final byte[] connectData;
    private final long startNs;
    private final long timeoutNs;
    /** Place that a client connects from, for people. */
    private final String way;
    private final String peer;
    private final byte[] peerAddress;
    private long id;
    private State state = State.CONNECTING;
    private byte[] privateData = NOTHING;
    private String problem = "";
    private SourceAddress source = SourceAddress.ANY;
    private byte[] binding = NOTHING;
    /** The GID that packets are taken from; none on InfiniBand, and before there is an answer. */
    private byte[] peerGid = NOTHING;

    private ManagedConnection(
        final ConnectionChannel channel,
        final long id,
        final ReliableQueuePair queuePair,
        final boolean isClient,
        final String way,
        final String peer,
        final byte[] peerAddress,
        final byte[] connectData,
        final long timeoutNs) {
        this.channel = channel;
        this.id = id;
        this.queuePair = queuePair;
        this.isClient = isClient;
        this.way = way;
        this.peer = peer;
        this.peerAddress = peerAddress;
        this.connectData = connectData;
        this.timeoutNs = timeoutNs;
        startNs = channel.device().environment().nanoTime();
    }

    /** The client's end; the monitor is held. */
    static ManagedConnection connect(
        final ConnectionChannel channel,
        final String address,
        final InetSocketAddress socket,
        final ReliableQueuePair queuePair,
        final byte[] privateData,
        final long timeoutNs) {
        final SourceChoice source = SourceChoice.towards(channel, socket);
        final long id = channel.createId();
        final ManagedConnection connection = new ManagedConnection(
            channel, id, queuePair, true, source.describe(), address, socket.getAddress().getAddress(),
            privateData.clone(), timeoutNs);
        channel.register(id, connection);
        try (Arena arena = Arena.ofConfined()) {
            // For example no route to there, at the moment.
            connection.step(channel.library().resolveAddress, id, source.encode(arena),
                SocketAddresses.encode(socket, arena), RESOLVE_TIMEOUT_MS);
        }
        return connection;
    }

    /** The server's end of an accepted request; the monitor is held. */
    static ManagedConnection accepted(
        final ConnectionChannel channel,
        final long id,
        final ReliableQueuePair queuePair,
        final int peerNumber,
        final byte[] peerGid) {
        final ManagedConnection connection = new ManagedConnection(
            channel, id, queuePair, false, "", IdentifierFields.peer(id), IdentifierFields.peerAddress(id), NOTHING,
            Long.MAX_VALUE);
        connection.source = channel.sourceOf(queuePair.port());
        connection.peerGid = peerGid;
        connection.binding = bindingOf(
            connection.peerAddress, peerNumber, IdentifierFields.ownAddress(id), queuePair.number());
        channel.register(id, connection);
        return connection;
    }

    /**
     * Parameters to connect or accept with (rdma_connect(3), rdma_accept(3)).
     *
     * @param maxInitiatorDepth READs and atomics that the peer answers at a time, as far as it is known.
     */
    static MemorySegment parameters(
        final Arena arena, final ReliableQueuePair queuePair, final int maxInitiatorDepth, final byte[] data) {
        final MemorySegment parameters = rdma_conn_param.allocate(arena);
        rdma_conn_param.private_data(parameters, bytes(arena, data));
        rdma_conn_param.private_data_len(parameters, (byte) data.length);
        rdma_conn_param.responder_resources(
            parameters, (byte) queuePair.attributes().maxDestinationReadAtomic());
        rdma_conn_param.initiator_depth(
            parameters, (byte) Math.min(queuePair.attributes().maxReadAtomic(), maxInitiatorDepth));
        rdma_conn_param.flow_control(parameters, (byte) 1);
        rdma_conn_param.retry_count(parameters, (byte) queuePair.attributes().retryCount());
        rdma_conn_param.rnr_retry_count(parameters, (byte) queuePair.attributes().rnrRetryCount());
        // Both are told here because the queue pair was not created by the connection manager.
        rdma_conn_param.srq(parameters, (byte) (queuePair.attributes().sharedReceiveQueue() == null ? 0 : 1));
        rdma_conn_param.qp_num(parameters, queuePair.number());
        return parameters;
    }

    static MemorySegment bytes(final Arena arena, final byte[] data) {
        return data.length == 0 ? MemorySegment.NULL : arena.allocateFrom(ValueLayout.JAVA_BYTE, data);
    }

    @Override
    public State poll() {
        synchronized (channel) {
            if (id != 0) {
                channel.poll();
            }
            if (state == State.CONNECTING
                && channel.device().environment().nanoTime() - startNs >= timeoutNs) {
                giveUp("no answer in time");
            }
            return state;
        }
    }

    @Override
    public void onEvent(final ConnectionEvent event) {
        if (state == State.CONNECTING) {
            onEventWhileConnecting(event);
        } else if (isEnd(event.type())) {
            endByEvent(State.DISCONNECTED);
        }
    }

    private static boolean isEnd(final int type) {
        return type == rdma_constants.RDMA_CM_EVENT_DISCONNECTED()
            || type == rdma_constants.RDMA_CM_EVENT_DEVICE_REMOVAL();
    }

    private void onEventWhileConnecting(final ConnectionEvent event) {
        final int type = event.type();
        if (type == rdma_constants.RDMA_CM_EVENT_ADDR_RESOLVED()) {
            final ConnectionChannel.Contradiction contradiction = channel.contradiction(id);
            if (contradiction == null) {
                step(channel.library().resolveRoute, id, RESOLVE_TIMEOUT_MS);
            } else {
                giveUp("the way leads through " + contradiction.found() + ", and not through "
                    + contradiction.asked());
            }
        } else if (type == rdma_constants.RDMA_CM_EVENT_ROUTE_RESOLVED()) {
            try (Arena arena = Arena.ofConfined()) {
                step(channel.library().connect, id, parameters(arena, queuePair, ANY_DEPTH, connectData));
            }
        } else if (type == rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE()) {
            privateData = Arrays.copyOf(event.privateData(), MAX_ACCEPT_PRIVATE_DATA);
            onAccepted(event.queuePairNumber());
        } else if (type == rdma_constants.RDMA_CM_EVENT_ESTABLISHED()) {
            onEstablished();
        } else if (type == rdma_constants.RDMA_CM_EVENT_REJECTED()) {
            onRejected(event);
        } else if (type != rdma_constants.RDMA_CM_EVENT_ADDR_CHANGE()) {
            // A step has failed, or the peer is gone again.
            giveUp(channel.library().nameOf(type) + " " + Errno.describe(Math.abs(event.status())));
        }
    }

    private void step(final SetupCall call, final Object... arguments) {
        final int error = call.invoke(arguments).error();
        if (error != 0) {
            giveUp(call.name() + ": " + Errno.describe(error));
        }
    }

    private void giveUp(final String what) {
        if (isClient) {
            problem = from() + what;
        }
        endByEvent(isClient ? State.UNREACHABLE : State.DISCONNECTED);
    }

    private String from() {
        final String gid = id == 0 ? "" : channel.sourceGidOf(id);
        return "from " + way + (gid.isEmpty() ? "" : ", gid " + gid) + ": ";
    }

    /**
     * Takes the connection as established. The queue pair of a server's end was made ready before it has answered, that
     * of a client's by the response. A manager that skips that, as iWARP's does, leaves the queue pair in INIT: such a
     * connection is none.
     */
    private void onEstablished() {
        if (isClient) {
            giveUp("the connection manager has established the connection without the queue pair");
        } else {
            state = State.ESTABLISHED;
        }
    }

    private void onAccepted(final int peerNumber) {
        try {
            peerGid = queuePair.connect(id, () ->
                channel.library().establish.check("the peer does not hear that it is connected", id));
            source = channel.sourceOf(queuePair.port());
            binding = bindingOf(IdentifierFields.ownAddress(id), queuePair.number(), peerAddress, peerNumber);
            state = State.ESTABLISHED;
        } catch (final VerbsException e) {
            // The server is gone again, or our own queue pair is closed.
            giveUp(e.getMessage());
        }
    }

    private void onRejected(final ConnectionEvent event) {
        if (event.status() == RejectReason.CONSUMER_DEFINED) {
            privateData = event.privateData();
            problem = from() + RejectReason.describe(event.status());
            endByEvent(State.REJECTED);
        } else if (event.status() == RejectReason.INVALID_SERVICE_ID) {
            endByEvent(State.UNREACHABLE);
        } else {
            // the peer's kernel has said no, for a reason that root of its host may choose
            problem = from() + "rejected by the connection manager, " + RejectReason.describe(event.status());
            endByEvent(isClient ? State.REJECTED : State.DISCONNECTED);
        }
    }

    /**
     * Ends the connection, by whatever cause; the queue pair of a peer that said no or nothing can be connected again.
     */
    private void end(final State newState) {
        if (state == State.CONNECTING || state == State.ESTABLISHED) {
            final boolean wasConnected = state == State.ESTABLISHED || !isClient;
            state = newState;
            try {
                if (newState == State.DISCONNECTED) {
                    queuePair.fail();
                }
            } finally {
                if (wasConnected) {
                    // Tells the peer, or answers it.
                    channel.library().disconnect.invoke(id);
                } else {
                    // At once, so that no late answer connects the queue pair.
                    destroy();
                }
            }
        }
    }

    /** Ends it by an event, for which whoever has polled, often another connection's owner, is not to blame. */
    private void endByEvent(final State newState) {
        try {
            end(newState);
        } catch (final VerbsException e) {
            problem = problem.isEmpty() ? e.getMessage() : problem + "; " + e.getMessage();
        }
    }

    /** An address of 16 bytes for either end, which an address of 4 does not fill, and behind each the queue pair. */
    private static byte[] bindingOf(
        final byte[] connecting, final int connectingNumber, final byte[] listening, final int listeningNumber) {
        return ByteBuffer.allocate(2 * (PeerAddress.GID_LENGTH + 1 + Integer.BYTES))
            .put((byte) connecting.length).put(Arrays.copyOf(connecting, PeerAddress.GID_LENGTH))
            .putInt(connectingNumber)
            .put((byte) listening.length).put(Arrays.copyOf(listening, PeerAddress.GID_LENGTH))
            .putInt(listeningNumber)
            .array();
    }

    @Override
    public byte[] binding() {
        synchronized (channel) {
            return binding.clone();
        }
    }

    @Override
    public byte[] privateData() {
        synchronized (channel) {
            return privateData.clone();
        }
    }

    @Override
    public String problem() {
        synchronized (channel) {
            return problem;
        }
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public byte[] peerAddress() {
        return peerAddress.clone();
    }

    @Override
    public String contradictingAddress() {
        synchronized (channel) {
            return peerGid.length == 0 ? "" : GidText.contradiction(peerGid, peerAddress);
        }
    }

    @Override
    public String contradictingAddress(final byte[] queuePairAddress) {
        synchronized (channel) {
            return peerGid.length == 0 ? "" : GidText.contradiction(PeerAddress.gidOf(queuePairAddress), peerGid);
        }
    }

    @Override
    public SourceAddress sourceAddress() {
        synchronized (channel) {
            return source;
        }
    }

    /**
     * Returns false, since the end is never known: the connection manager does not tell the end of a process from a
     * disconnect.
     */
    @Override
    public boolean isPeerGone() {
        return false;
    }

    @Override
    public void disconnect() {
        synchronized (channel) {
            end(State.DISCONNECTED);
        }
    }

    @Override
    public void close() {
        synchronized (channel) {
            try {
                end(State.DISCONNECTED);
            } finally {
                destroy();
            }
        }
    }

    /** Lets go of the connection, as the device goes. */
    @Override
    public void release() {
        try {
            if (state == State.CONNECTING && isClient) {
                giveUp("the device was removed");
            } else {
                endByEvent(State.DISCONNECTED);
            }
        } finally {
            destroy();
        }
    }

    private void destroy() {
        if (id != 0) {
            channel.destroyId(id);
            // Not before: a release that was refused can be repeated.
            id = 0;
        }
    }
}
