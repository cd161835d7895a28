package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_gid;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The port of a device that queue pairs use, and the one of its GIDs that they are reached by.
 *
 * @param number     from 1.
 * @param isEthernet RoCE, where every path is a global one.
 * @param lid        local identifier on InfiniBand.
 * @param mtu        code of the largest packet.
 * @param gidIndex   of the GID in the port's table.
 * @param gid        16 bytes.
 */
record VerbsPort(int number, boolean isEthernet, int lid, int mtu, int gidIndex, byte[] gid) {
    /** Let the best GID be found. */
    static final int ANY_GID = -1;

    private static final String ROCE_V2 = "RoCE v2";

    static VerbsPort open(final VerbsDevice device, final int number, final int gidIndex) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = ibv_port_attr.allocate(arena);
            device.verbs().queryPort.check(
                "device " + device.name() + " has no port " + number, device.context(), (byte) number, attributes);
            if (ibv_port_attr.state(attributes) != rdma_constants.IBV_PORT_ACTIVE()) {
                throw new VerbsException("ibv_query_port", Remedies.ENODEV,
                    "port " + number + " of device " + device.name() + " is not active: see its cable and link");
            }
            final boolean isEthernet =
                ibv_port_attr.link_layer(attributes) == rdma_constants.IBV_LINK_LAYER_ETHERNET();
            final int index = gidIndex == ANY_GID
                ? bestGid(device, number, ibv_port_attr.gid_tbl_len(attributes), isEthernet) : gidIndex;
            return new VerbsPort(number, isEthernet, Short.toUnsignedInt(ibv_port_attr.lid(attributes)),
                ibv_port_attr.active_mtu(attributes), index, gid(device, number, index));
        }
    }

    /** RoCE v2 with an IPv4 address, else RoCE v2, else the first. */
    private static int bestGid(
        final VerbsDevice device, final int port, final int count, final boolean isEthernet) {
        final DeviceFolder folder = DeviceFolder.of(device.name());
        int best = 0;
        int bestRank = 0;
        for (int i = 0; isEthernet && i < count; i++) {
            final byte[] gid = gid(device, port, i);
            final boolean isRoceV2 = !isZero(gid) && ROCE_V2.equals(folder.gidType(port, i));
            final int rank = !isRoceV2 ? 0 : GidText.isMapped(gid) ? 2 : 1;
            if (rank > bestRank) {
                best = i;
                bestRank = rank;
            }
        }
        return best;
    }

    private static byte[] gid(final VerbsDevice device, final int port, final int index) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment gid = ibv_gid.allocate(arena);
            final SetupCall.Result result =
                device.verbs().queryGid.invoke(device.context(), (byte) port, index, gid);
            if (result.value() != 0) {
                throw new VerbsException("ibv_query_gid", Errno.EINVAL,
                    "gid=" + index + " is not in the table of port " + port + " of device " + device.name());
            }
            return gid.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** The IPv4 address that the GID is made of, or null. */
    InetAddress ipv4() {
        try {
            // a mapped address comes back as what it is
            return GidText.isMapped(gid) ? InetAddress.getByAddress(gid) : null;
        } catch (final UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isZero(final byte[] gid) {
        return Arrays.equals(gid, new byte[PeerAddress.GID_LENGTH]);
    }
}
