package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_gid;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Makes each transition of a queue pair, with what ibv_modify_qp(3) needs for it. The owner's lock is held. */
final class QueuePairTransitions {
    /** Routers on the way: as IP's default. */
    private static final byte HOP_LIMIT = 64;
    private static final String WHAT = "the queue pair does not change its state";

    /**
     * The path of a connection, as the connection manager has chosen it.
     *
     * @param port    this end of it.
     * @param peerGid the other end on Ethernet: packets go there, and are taken from nowhere else. Empty on InfiniBand.
     */
    record Path(VerbsPort port, byte[] peerGid) {
    }

    private final DeviceContext device;
    private final long handle;
    private final QueuePairAttributes attributes;
    /** The furthest of RESET, INIT, RTR and RTS that it has come to since it was created, or reset. */
    private int reached = rdma_constants.IBV_QPS_RESET();

    QueuePairTransitions(final DeviceContext device, final long handle, final QueuePairAttributes attributes) {
        this.device = device;
        this.handle = handle;
        this.attributes = attributes;
    }

    private void modify(final MemorySegment attr, final int mask) {
        final int error = device.verbs().modifyQp.invoke(handle, attr, mask).error();
        if (error != 0) {
            throw device.verbs().modifyQp.failure(
                error, WHAT + ((mask & rdma_constants.IBV_QP_AV()) == 0 ? "" : way(ibv_qp_attr.ah_attr(attr))));
        }
        final int state = ibv_qp_attr.qp_state(attr);
        if (state <= rdma_constants.IBV_QPS_RTS()) {
            reached = state;
        }
    }

    /** Address of the {@code ibv_qp}. */
    long handle() {
        return handle;
    }

    int reached() {
        return reached;
    }

    /** The way from where to where, by the addresses that the device is given. */
    private String way(final MemorySegment route) {
        final byte port = ibv_ah_attr.port_num(route);
        final String start = ": device " + device.name() + " port " + Byte.toUnsignedInt(port);
        if (ibv_ah_attr.is_global(route) == 0) {
            return start + " to lid " + Short.toUnsignedInt(ibv_ah_attr.dlid(route));
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment global = ibv_ah_attr.grh(route);
            final int index = Byte.toUnsignedInt(ibv_global_route.sgid_index(global));
            final MemorySegment gid = ibv_gid.allocate(arena);
            final boolean isKnown = device.verbs().queryGid.invoke(device.address(), port, index, gid).value() == 0;
            return start + " gid " + index
                + (isKnown ? " " + GidText.of(gid.toArray(ValueLayout.JAVA_BYTE)) : " (none)")
                + " to gid " + GidText.of(ibv_global_route.dgid(global).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    void initialise(final VerbsPort port, final int access) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_INIT());
            ibv_qp_attr.port_num(attr, (byte) port.number());
            ibv_qp_attr.pkey_index(attr, (short) port.partitionIndex());
            ibv_qp_attr.qp_access_flags(attr, access);
            modify(attr, rdma_constants.IBV_QP_STATE() | rdma_constants.IBV_QP_PKEY_INDEX()
                | rdma_constants.IBV_QP_PORT() | rdma_constants.IBV_QP_ACCESS_FLAGS());
        }
    }

    /**
     * Brings the queue pair to READY_TO_RECEIVE, towards a peer.
     *
     * @param told as the peer was told of it: both ends take the same packet length, which a port that has changed
     *             since must not exceed.
     * @param port as it is now.
     */
    void readyToReceive(final VerbsPort told, final VerbsPort port, final PeerAddress peer) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_RTR());
            ibv_qp_attr.path_mtu(attr, Math.min(Math.min(told.mtu(), port.mtu()), peer.mtu()));
            ibv_qp_attr.pkey_index(attr, (short) port.partitionIndex());
            ibv_qp_attr.dest_qp_num(attr, peer.queuePair());
            ibv_qp_attr.rq_psn(attr, peer.packetNumber());
            ibv_qp_attr.max_dest_rd_atomic(attr, (byte) attributes.maxDestinationReadAtomic());
            ibv_qp_attr.min_rnr_timer(attr, (byte) attributes.minRnrTimerCode());
            route(ibv_qp_attr.ah_attr(attr), port, peer);
            modify(attr, rdma_constants.IBV_QP_STATE() | rdma_constants.IBV_QP_AV() | rdma_constants.IBV_QP_PATH_MTU()
                | rdma_constants.IBV_QP_DEST_QPN() | rdma_constants.IBV_QP_RQ_PSN()
                | rdma_constants.IBV_QP_MAX_DEST_RD_ATOMIC() | rdma_constants.IBV_QP_MIN_RNR_TIMER()
                | (told.partitionIndex() == port.partitionIndex() ? 0 : rdma_constants.IBV_QP_PKEY_INDEX()));
        }
    }

    /**
     * Writes the route to a peer. A header that one end asks for is sent by both: packets to a port need it as those
     * from there do.
     */
    private static void route(final MemorySegment route, final VerbsPort port, final PeerAddress peer) {
        ibv_ah_attr.dlid(route, (short) peer.lid());
        ibv_ah_attr.port_num(route, (byte) port.number());
        if (port.isGlobal() || peer.isGlobal()) {
            ibv_ah_attr.is_global(route, (byte) 1);
            final MemorySegment global = ibv_ah_attr.grh(route);
            MemorySegment.copy(
                peer.gid(), 0, ibv_global_route.dgid(global), ValueLayout.JAVA_BYTE, 0, (int) ibv_gid.sizeof());
            ibv_global_route.sgid_index(global, (byte) port.gidIndex());
            ibv_global_route.hop_limit(global, HOP_LIMIT);
        }
    }

    void readyToSend(final int packetNumber) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_RTS());
            ibv_qp_attr.sq_psn(attr, packetNumber);
            ibv_qp_attr.max_rd_atomic(attr, (byte) attributes.maxReadAtomic());
            retries(attr);
            modify(attr, rdma_constants.IBV_QP_STATE() | rdma_constants.IBV_QP_SQ_PSN()
                | rdma_constants.IBV_QP_MAX_QP_RD_ATOMIC() | rdma_constants.IBV_QP_TIMEOUT()
                | rdma_constants.IBV_QP_RETRY_CNT() | rdma_constants.IBV_QP_RNR_RETRY());
        }
    }

    void initialiseDatagrams(final int queueKey) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_INIT());
            ibv_qp_attr.port_num(attr, (byte) device.ports().last().number());
            ibv_qp_attr.qkey(attr, queueKey);
            modify(attr, rdma_constants.IBV_QP_STATE() | rdma_constants.IBV_QP_PKEY_INDEX()
                | rdma_constants.IBV_QP_PORT() | rdma_constants.IBV_QP_QKEY());
        }
    }

    void readyToReceiveDatagrams() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_RTR());
            modify(attr, rdma_constants.IBV_QP_STATE());
        }
    }

    void readyToSendDatagrams(final int packetNumber) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_RTS());
            ibv_qp_attr.sq_psn(attr, packetNumber);
            modify(attr, rdma_constants.IBV_QP_STATE() | rdma_constants.IBV_QP_SQ_PSN());
        }
    }

    private void retries(final MemorySegment attr) {
        ibv_qp_attr.timeout(attr, (byte) attributes.ackTimeoutCode());
        ibv_qp_attr.retry_cnt(attr, (byte) attributes.retryCount());
        ibv_qp_attr.rnr_retry(attr, (byte) attributes.rnrRetryCount());
    }

    /**
     * Makes the queue pair ready to receive, by the path and the peer that the connection manager knows. Timers stay
     * ours: of itself it would take the longest delay for a receiver that is not ready, code 0, and its own
     * acknowledgement timeout.
     *
     * @param initialised the port that the queue pair was initialised with.
     * @return the path that the connection manager has chosen.
     */
    Path connect(final VerbsPort initialised, final long connectionId) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            final MemorySegment mask = arena.allocate(ValueLayout.JAVA_INT);
            ask(connectionId, attr, mask, rdma_constants.IBV_QPS_INIT());
            final int partitionIndex = takePort(initialised, attr, mask.get(ValueLayout.JAVA_INT, 0));
            attr.fill((byte) 0);
            ask(connectionId, attr, mask, rdma_constants.IBV_QPS_RTR());
            final VerbsPort chosen = chosen(initialised, partitionIndex, attr, mask.get(ValueLayout.JAVA_INT, 0));
            final Path path = new Path(chosen, chosen.isEthernet() ? destination(attr) : new byte[0]);
            ibv_qp_attr.max_dest_rd_atomic(attr, (byte) attributes.maxDestinationReadAtomic());
            ibv_qp_attr.min_rnr_timer(attr, (byte) attributes.minRnrTimerCode());
            modify(attr, mask.get(ValueLayout.JAVA_INT, 0) | rdma_constants.IBV_QP_MAX_DEST_RD_ATOMIC()
                | rdma_constants.IBV_QP_MIN_RNR_TIMER());
            attr.fill((byte) 0);
            ask(connectionId, attr, mask, rdma_constants.IBV_QPS_RTS());
            // More than the peer answers would fail the queue pair.
            ibv_qp_attr.max_rd_atomic(attr, (byte) Math.min(
                attributes.maxReadAtomic(), Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(attr))));
            retries(attr);
            modify(attr, mask.get(ValueLayout.JAVA_INT, 0) | rdma_constants.IBV_QP_MAX_QP_RD_ATOMIC()
                | rdma_constants.IBV_QP_TIMEOUT() | rdma_constants.IBV_QP_RETRY_CNT()
                | rdma_constants.IBV_QP_RNR_RETRY());
            return path;
        }
    }

    /**
     * The GID that the path of an identifier leads to, by the attributes that a queue pair would be connected with.
     * What the identifier itself says ({@code rdma_addr.ibaddr.dgid}) is no measure on Ethernet: the kernel makes it of
     * the address that the peer has told.
     *
     * @return 16 bytes; none when its peer has given up.
     */
    static byte[] destination(final ConnectionLibrary library, final long connectionId) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_RTR());
            final int error = library.initQueuePairAttributes
                .invoke(connectionId, attr, arena.allocate(ValueLayout.JAVA_INT)).error();
            return error == 0 ? destination(attr) : new byte[0];
        }
    }

    private static byte[] destination(final MemorySegment attr) {
        return ibv_global_route.dgid(ibv_ah_attr.grh(ibv_qp_attr.ah_attr(attr))).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Takes the port of the route, which may lead through another port, or partition, than the queue pair was
     * initialised with.
     *
     * @return index of its partition key.
     */
    private int takePort(final VerbsPort initialised, final MemorySegment path, final int mask) {
        final int needed = rdma_constants.IBV_QP_PORT() | rdma_constants.IBV_QP_PKEY_INDEX();
        final int port = Byte.toUnsignedInt(ibv_qp_attr.port_num(path));
        final int partition = Short.toUnsignedInt(ibv_qp_attr.pkey_index(path));
        if ((mask & needed) != needed) {
            return initialised.partitionIndex();
        }
        if (port != initialised.number() || partition != initialised.partitionIndex()) {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment attr = ibv_qp_attr.allocate(arena);
                ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_INIT());
                ibv_qp_attr.port_num(attr, (byte) port);
                ibv_qp_attr.pkey_index(attr, (short) partition);
                modify(attr, rdma_constants.IBV_QP_STATE() | needed);
            }
        }
        return partition;
    }

    /** The port by the attributes of the path to the peer. */
    private VerbsPort chosen(
        final VerbsPort initialised, final int partitionIndex, final MemorySegment attr, final int mask) {
        if ((mask & rdma_constants.IBV_QP_AV()) == 0) {
            return initialised;
        }
        final MemorySegment path = ibv_qp_attr.ah_attr(attr);
        // within one InfiniBand subnet a path may have no address but the LID; the first GID is that of every port
        final int gidIndex = ibv_ah_attr.is_global(path) == 0
            ? 0 : Byte.toUnsignedInt(ibv_global_route.sgid_index(ibv_ah_attr.grh(path)));
        return device.ports().at(Byte.toUnsignedInt(ibv_ah_attr.port_num(path)), gidIndex, partitionIndex);
    }

    private void ask(
        final long connectionId, final MemorySegment attr, final MemorySegment mask, final int state) {
        ibv_qp_attr.qp_state(attr, state);
        Handshake.step(device.verbs().connectionManager().initQueuePairAttributes,
            "the connection tells no path", connectionId, attr, mask);
    }

    /** Resets it from ERROR: the device ends all its work. */
    void reset() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_RESET());
            modify(attr, rdma_constants.IBV_QP_STATE());
        }
    }

    void fail() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attr, rdma_constants.IBV_QPS_ERR());
            modify(attr, rdma_constants.IBV_QP_STATE());
        }
    }

    /**
     * Whether the device says that the queue pair is in the ERROR state, which the library knows then. One whose send
     * queue only has failed (SQE, which datagrams know) is brought there, and so is one of which an event has told it.
     *
     * @param isTold whether an event has.
     * @param isSaid whether an event has, or completions say so, for a device that cannot be asked.
     */
    boolean hasFailed(final boolean isTold, final boolean isSaid) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attr = ibv_qp_attr.allocate(arena);
            final SetupCall.Result result = device.verbs().queryQp.invoke(
                handle, attr, rdma_constants.IBV_QP_STATE(), ibv_qp_init_attr.allocate(arena));
            // mana has no such call
            final boolean isUnknown = result.error() == Errno.EOPNOTSUPP;
            if (result.error() != 0 && !isUnknown && !isTold) {
                throw device.verbs().queryQp.failure(result.error(), "the state of a queue pair is unknown");
            }
            final int state = result.error() == 0 ? ibv_qp_attr.qp_state(attr) : rdma_constants.IBV_QPS_UNKNOWN();
            if (state == rdma_constants.IBV_QPS_ERR()) {
                return true;
            }
            final boolean isFailed = state == rdma_constants.IBV_QPS_SQE() || isTold || isUnknown && isSaid;
            if (isFailed) {
                fail();
            }
            return isFailed;
        }
    }
}
