package io.sluice.verbs.rdma;

import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Asks a device for its ports, each as it is at the moment. Any thread; for set-up only. */
final class DevicePorts {
    private final DeviceHandle device;
    private final RdmaDeviceOptions options;
    private volatile GidTable gids;
    private volatile PartitionTable partitions;
    /** Port as it was when it was asked last. */
    private volatile VerbsPort port;

    /** Finds the index of the GID, or of the partition key, in a port's table of a length. */
    private interface Choice {
        int index(int count, boolean isEthernet);
    }

    /**
     * Describe the ports of a device, whose context is not asked before {@link #open()}.
     *
     * @param options which port and address the device is opened for.
     */
    DevicePorts(final DeviceHandle device, final RdmaDeviceOptions options) {
        this.device = device;
        this.options = options;
    }

    /** Opens the tables of the context that the device has from now on. */
    void open() {
        gids = new GidTable(
            device.verbs(), device.address(), device.name(), device.verbs().folder(device.name()));
        partitions = new PartitionTable(device.verbs(), device.address(), device.name());
        port = asked();
    }

    /** The device's own port and address, as they were when they were asked for last. */
    VerbsPort last() {
        return port;
    }

    /**
     * The port and address of a path as they are now, for a queue pair that is made ready.
     *
     * @throws VerbsException ENODEV when the port is not active, EADDRNOTAVAIL when it does not have the address or the
     *                        partition key.
     */
    VerbsPort now(final SourceAddress source) {
        if (!source.isAny()) {
            return of(source);
        }
        final VerbsPort now = refreshed(port);
        port = now;
        return now;
    }

    GidTable gids() {
        return gids;
    }

    /**
     * The port that the device was asked for: the one with the local address or the first active one, and its best GID.
     */
    private VerbsPort asked() {
        final GidTable table = gids;
        final byte[] address = options.localAddress().isEmpty() ? null : GidText.parse(options.localAddress());
        final int number = options.port() == RdmaDeviceOptions.ANY_PORT ? anyPort(address) : options.port();
        return read(number, (count, isEthernet) -> {
            if (options.gidIndex() != RdmaDeviceOptions.BEST_GID) {
                return options.gidIndex();
            }
            return isEthernet ? table.best(number, count, address) : 0;
        }, (count, isEthernet) -> 0);
    }

    /** The port that has the address, else the first active one, else the first. */
    private int anyPort(final byte[] address) {
        final int count = DeviceQuery.portCount(device.verbs(), device.address());
        int active = 0;
        for (int number = 1; number <= count; number++) {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment attributes = query(number, arena);
                if (ibv_port_attr.state(attributes) == rdma_constants.IBV_PORT_ACTIVE()) {
                    final int length = ibv_port_attr.gid_tbl_len(attributes);
                    if (address != null && gids.has(number, length, address)) {
                        return number;
                    }
                    active = active == 0 ? number : active;
                }
            }
        }
        return active == 0 ? 1 : active;
    }

    /** A port with the GID and the partition key that have these indexes now. */
    VerbsPort at(final int number, final int gidIndex, final int partitionIndex) {
        return read(number, (count, isEthernet) -> gidIndex, (count, isEthernet) -> partitionIndex);
    }

    /**
     * A port with the address and the partition of a path, wherever in the tables they are now.
     *
     * @throws VerbsException EADDRNOTAVAIL when the port does not have one of them any more.
     */
    private VerbsPort of(final SourceAddress source) {
        return read(source.port(), (count, isEthernet) -> gids.find(source, count),
            (count, isEthernet) -> partitions.find(source.port(), source.partitionKey(), count));
    }

    private MemorySegment query(final int number, final Arena arena) {
        final MemorySegment attributes = ibv_port_attr.allocate(arena);
        device.verbs().queryPort.check(
            "device " + device.name() + " has no port " + number, device.address(), (byte) number, attributes);
        return attributes;
    }

    /** Whether a port is RoCE's, active or not. */
    boolean isEthernet(final int number) {
        try (Arena arena = Arena.ofConfined()) {
            return isEthernet(query(number, arena));
        }
    }

    private static boolean isEthernet(final MemorySegment attributes) {
        return ibv_port_attr.link_layer(attributes) == rdma_constants.IBV_LINK_LAYER_ETHERNET();
    }

    private VerbsPort read(final int number, final Choice gidChoice, final Choice partitionChoice) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = query(number, arena);
            if (ibv_port_attr.state(attributes) != rdma_constants.IBV_PORT_ACTIVE()) {
                throw new VerbsException("ibv_query_port", Remedies.ENODEV,
                    "port " + number + " of device " + device.name() + " is not active: see its cable and link");
            }
            final boolean isEthernet = isEthernet(attributes);
            final int index = gidChoice.index(ibv_port_attr.gid_tbl_len(attributes), isEthernet);
            final boolean isGlobal = isEthernet || VerbsPort.asksForGlobalRoute(attributes);
            return new VerbsPort(number, isEthernet, isGlobal, Short.toUnsignedInt(ibv_port_attr.lid(attributes)),
                ibv_port_attr.active_mtu(attributes), index, gids.gid(number, index),
                partitionChoice.index(Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(attributes)), isEthernet));
        }
    }

    /**
     * The port as it is now: with the same address as long as that is where it was, else as the device was asked for.
     */
    private VerbsPort refreshed(final VerbsPort before) {
        try {
            final VerbsPort now = at(before.number(), before.gidIndex(), before.partitionIndex());
            if (options.gidIndex() != RdmaDeviceOptions.BEST_GID || Arrays.equals(now.gid(), before.gid())) {
                return now;
            }
        } catch (final VerbsException e) {
            // The port is down, which another one may not be; if all are, the next says so.
            return asked();
        }
        return asked();
    }

    /** Address of a port, for queue pairs that are to go the same way. */
    SourceAddress source(final VerbsPort from) {
        return gids.source(from.number(), from.gidIndex(), from.gid(), from.isEthernet()
            ? SourceAddress.FIRST_PARTITION : partitions.key(from.number(), from.partitionIndex()));
    }
}
