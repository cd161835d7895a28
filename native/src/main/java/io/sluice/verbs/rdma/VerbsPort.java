package io.sluice.verbs.rdma;

import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;

/**
 * A port of a device as it was at one moment, the one of its GIDs that queue pairs are reached by, and their partition.
 *
 * @param number         from 1.
 * @param isEthernet     RoCE, where every path is a global one.
 * @param isGlobal       whether paths from and to it need a global routing header: on RoCE, and where it says so.
 * @param lid            local identifier on InfiniBand.
 * @param mtu            code of the largest packet.
 * @param gidIndex       of the GID in the port's table.
 * @param gid            16 bytes.
 * @param partitionIndex of the partition key in the port's table of those.
 */
record VerbsPort(
    int number,
    boolean isEthernet,
    boolean isGlobal,
    int lid,
    int mtu,
    int gidIndex,
    byte[] gid,
    int partitionIndex) {
    /** {@code IBV_QPF_GRH_REQUIRED}, of a virtual function for example: without it a path connects, and no more. */
    private static final int GRH_REQUIRED = 1;

    /** Whether a port says that each path is a global one. */
    static boolean asksForGlobalRoute(final MemorySegment attributes) {
        return (ibv_port_attr.flags(attributes) & GRH_REQUIRED) != 0;
    }

    /** Bytes by the code of {@code enum ibv_mtu}: 1 is 256, and each one more doubles it. */
    static int mtuBytes(final int code) {
        return code >= rdma_constants.IBV_MTU_256() && code <= rdma_constants.IBV_MTU_4096() ? 128 << code : 0;
    }

    /**
     * The destination at which datagrams reach the port. A port that is neither InfiniBand's nor Ethernet's may have no
     * local identifier.
     */
    AddressHandleAttributes destination() {
        return needsGid() ? AddressHandleAttributes.toGid(gid, isEthernet ? 0 : lid)
            : AddressHandleAttributes.toLid(lid);
    }

    /** Whether no path leads from here by a local identifier alone: a port may have none, as EFA's. */
    boolean needsGid() {
        return isGlobal || lid == 0;
    }
}
