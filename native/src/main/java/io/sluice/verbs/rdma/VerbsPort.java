package io.sluice.verbs.rdma;

import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

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

    /** Finds the index of the GID, or of the partition key, in a port's table of a length. */
    private interface Choice {
        int index(int count, boolean isEthernet);
    }

    /** By what a device was asked for: the port with the local address or the first active one, and its best GID. */
    static VerbsPort open(final VerbsDevice device, final RdmaDeviceOptions options) {
        final GidTable gids = device.gids();
        final byte[] address = options.localAddress().isEmpty() ? null : GidText.parse(options.localAddress());
        final int number = options.port() == RdmaDeviceOptions.ANY_PORT ? anyPort(device, address) : options.port();
        return read(device, number, (count, isEthernet) -> {
            if (options.gidIndex() != RdmaDeviceOptions.BEST_GID) {
                return options.gidIndex();
            }
            return isEthernet ? gids.best(number, count, address) : 0;
        }, (count, isEthernet) -> 0);
    }

    /** The port that has the address, else the first active one, else the first. */
    private static int anyPort(final VerbsDevice device, final byte[] address) {
        final int count = DeviceQuery.portCount(device.verbs(), device.context());
        int active = 0;
        for (int number = 1; number <= count; number++) {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment attributes = query(device, number, arena);
                if (ibv_port_attr.state(attributes) == rdma_constants.IBV_PORT_ACTIVE()) {
                    final int length = ibv_port_attr.gid_tbl_len(attributes);
                    if (address != null && device.gids().has(number, length, address)) {
                        return number;
                    }
                    active = active == 0 ? number : active;
                }
            }
        }
        return active == 0 ? 1 : active;
    }

    /** With the GID and the partition key that have these indexes now. */
    static VerbsPort at(final VerbsDevice device, final int number, final int gidIndex, final int partitionIndex) {
        return read(device, number, (count, isEthernet) -> gidIndex, (count, isEthernet) -> partitionIndex);
    }

    /**
     * With the address and the partition of a path, wherever in the tables they are now.
     *
     * @throws VerbsException EADDRNOTAVAIL when the port does not have one of them any more.
     */
    static VerbsPort of(final VerbsDevice device, final SourceAddress source) {
        return read(device, source.port(), (count, isEthernet) -> device.gids().find(source, count),
            (count, isEthernet) -> device.partitions().find(source.port(), source.partitionKey(), count));
    }

    private static MemorySegment query(final VerbsDevice device, final int number, final Arena arena) {
        final MemorySegment attributes = ibv_port_attr.allocate(arena);
        device.verbs().queryPort.check(
            "device " + device.name() + " has no port " + number, device.context(), (byte) number, attributes);
        return attributes;
    }

    /** Whether a port is RoCE's, active or not. */
    static boolean isEthernet(final VerbsDevice device, final int number) {
        try (Arena arena = Arena.ofConfined()) {
            return isEthernet(query(device, number, arena));
        }
    }

    private static boolean isEthernet(final MemorySegment attributes) {
        return ibv_port_attr.link_layer(attributes) == rdma_constants.IBV_LINK_LAYER_ETHERNET();
    }

    /** Whether a port says that each path is a global one. */
    static boolean asksForGlobalRoute(final MemorySegment attributes) {
        return (ibv_port_attr.flags(attributes) & GRH_REQUIRED) != 0;
    }

    /** Bytes by the code of {@code enum ibv_mtu}: 1 is 256, and each one more doubles it. */
    static int mtuBytes(final int code) {
        return code >= rdma_constants.IBV_MTU_256() && code <= rdma_constants.IBV_MTU_4096() ? 128 << code : 0;
    }

    private static VerbsPort read(
        final VerbsDevice device, final int number, final Choice gidChoice, final Choice partitionChoice) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = query(device, number, arena);
            if (ibv_port_attr.state(attributes) != rdma_constants.IBV_PORT_ACTIVE()) {
                throw new VerbsException("ibv_query_port", Remedies.ENODEV,
                    "port " + number + " of device " + device.name() + " is not active: see its cable and link");
            }
            final boolean isEthernet = isEthernet(attributes);
            final int index = gidChoice.index(ibv_port_attr.gid_tbl_len(attributes), isEthernet);
            final boolean isGlobal = isEthernet || asksForGlobalRoute(attributes);
            return new VerbsPort(number, isEthernet, isGlobal, Short.toUnsignedInt(ibv_port_attr.lid(attributes)),
                ibv_port_attr.active_mtu(attributes), index, device.gids().gid(number, index),
                partitionChoice.index(Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(attributes)), isEthernet));
        }
    }

    /** As it is now: with the same address as long as that is where it was, else as the device was asked for. */
    VerbsPort refreshed(final VerbsDevice device, final RdmaDeviceOptions options) {
        try {
            final VerbsPort now = at(device, number, gidIndex, partitionIndex);
            if (options.gidIndex() != RdmaDeviceOptions.BEST_GID || Arrays.equals(now.gid, gid)) {
                return now;
            }
        } catch (final VerbsException e) {
            // The port is down, which another one may not be; if all are, the next says so.
            return open(device, options);
        }
        return open(device, options);
    }

    /** Where datagrams reach it. A port that is neither InfiniBand's nor Ethernet's may have no local identifier. */
    AddressHandleAttributes destination() {
        return needsGid() ? AddressHandleAttributes.toGid(gid, isEthernet ? 0 : lid)
            : AddressHandleAttributes.toLid(lid);
    }

    /** Whether no path leads from here by a local identifier alone: a port may have none, as EFA's. */
    boolean needsGid() {
        return isGlobal || lid == 0;
    }

    /** Its address, for queue pairs that are to go the same way. */
    SourceAddress source(final VerbsDevice device) {
        return device.gids().source(number, gidIndex, gid,
            isEthernet ? SourceAddress.FIRST_PARTITION : device.partitions().key(number, partitionIndex));
    }
}
