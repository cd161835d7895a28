package io.sluice.verbs.rdma;

import io.sluice.verbs.rdma.generated.rdma_addr;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_ib_addr;
import io.sluice.verbs.rdma.generated.rdma_route;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.agrona.UnsafeApi;

/** Reads an {@code rdma_cm_id}, which must not be destroyed meanwhile. Stateless; any thread. */
final class IdentifierFields {
    private static final long PEER = rdma_cm_id.route$offset() + rdma_route.addr$offset()
        + rdma_addr.dst_storage$offset();
    private static final long OWN = rdma_cm_id.route$offset() + rdma_route.addr$offset()
        + rdma_addr.src_storage$offset();

    /** The offset where an identifier has its address on InfiniBand, which on Ethernet is made of the IP address. */
    private static final long SOURCE_GID = rdma_cm_id.route$offset() + rdma_route.addr$offset()
        + rdma_addr.addr$offset() + rdma_addr.addr.ibaddr$offset() + rdma_ib_addr.sgid$offset();

    private IdentifierFields() {
    }

    /** The other end of an identifier. */
    static String peer(final long id) {
        return SocketAddresses.describe(
            MemorySegment.ofAddress(id + PEER).reinterpret(rdma_addr.dst_storage$layout().byteSize()));
    }

    /** Address of the other end as bytes. */
    static byte[] peerAddress(final long id) {
        return SocketAddresses.address(
            MemorySegment.ofAddress(id + PEER).reinterpret(rdma_addr.dst_storage$layout().byteSize()));
    }

    /** This end of an identifier as bytes (rdma_get_local_addr(3)); known once the way is. */
    static byte[] ownAddress(final long id) {
        return SocketAddresses.address(
            MemorySegment.ofAddress(id + OWN).reinterpret(rdma_addr.src_storage$layout().byteSize()));
    }

    /** The port of this host that its way leads through; 0 before it is known. */
    static int port(final long id) {
        return Byte.toUnsignedInt(UnsafeApi.getByte(id + rdma_cm_id.port_num$offset()));
    }

    /** The GID that its way begins at; zeros before it is known. */
    static byte[] sourceGid(final long id) {
        return MemorySegment.ofAddress(id + SOURCE_GID).reinterpret(PeerAddress.GID_LENGTH)
            .toArray(ValueLayout.JAVA_BYTE);
    }

    /** Address of the {@code ibv_context} that it has; 0 when there is none yet. */
    static long context(final long id) {
        return UnsafeApi.getLong(id + rdma_cm_id.verbs$offset());
    }
}
