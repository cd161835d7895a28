package io.sluice.verbs.model;

import io.sluice.verbs.rdma.generated.rdma_addr;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_ib_addr;
import io.sluice.verbs.rdma.generated.rdma_route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An identifier of the connection manager. Guarded by the fabric's monitor. */
final class ModelId {
    private static final long ADDRESSES = rdma_cm_id.route$offset() + rdma_route.addr$offset();
    private static final long SOURCE_GID = ADDRESSES + rdma_addr.addr$offset() + rdma_addr.addr.ibaddr$offset()
        + rdma_ib_addr.sgid$offset();

    final MemorySegment memory = Arena.ofAuto().allocate(rdma_cm_id.layout());
    final ModelChannel<Event> channel;
    State state = State.IDLE;
    SocketAddress local = SocketAddress.NONE;
    SocketAddress remote = SocketAddress.NONE;
    /** The other end, null before there is one and when it is gone. */
    ModelId peer;
    /** Number of this end's queue pair, as it was told to the other. */
    int queuePairNumber;
    int readsAnswered;
    int readsAsked;

    /** The stages that a connection goes through. */
    enum State {
        /** State in which nothing was asked for. */
        IDLE,
        /** Listening for requests. */
        LISTENING,
        /** Waiting for an answer, its own or its peer's. */
        CONNECTING,
        /** The listening end has accepted; the end that asked has yet to establish the connection. */
        ACCEPTED,
        /** Connected, as each end knows. */
        CONNECTED,
        /** Disconnected, or refused. */
        ENDED
    }

    /**
     * An event.
     *
     * @param id     that it is for.
     * @param memory of its {@code rdma_cm_event}.
     * @param data   private data that it refers to.
     */
    record Event(ModelId id, MemorySegment memory, MemorySegment data) {
    }

    ModelId(final ModelChannel<Event> channel) {
        this.channel = channel;
    }

    long address() {
        return memory.address();
    }

    /** Binds the identifier to the device that its address leads to. */
    void bind(final ModelContext context, final LinkLayer link) {
        rdma_cm_id.verbs(memory, context.inner());
        rdma_cm_id.port_num(memory, (byte) 1);
        MemorySegment.copy(MemorySegment.ofArray(DeviceFunctions.gid(link)), 0, memory, SOURCE_GID,
            DeviceFunctions.GID_LENGTH);
    }

    void local(final SocketAddress address) {
        local = address;
        address.write(memory, ADDRESSES + rdma_addr.src_storage$offset());
    }

    void remote(final SocketAddress address) {
        remote = address;
        address.write(memory, ADDRESSES + rdma_addr.dst_storage$offset());
    }
}
