package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_gid;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Arrays;

/**
 * The addresses (GIDs) of a device's ports as they are at the moment of each question: they come and go with those of
 * the network interfaces. Any thread; for set-up only.
 */
final class GidTable {
    static final String ROCE_V2 = "RoCE v2";
    private static final byte[] UNSET = new byte[PeerAddress.GID_LENGTH];
    /** The address that was asked for comes before any other. */
    private static final int ASKED_RANK = 100;
    /** The rank of RoCE v2: only that crosses routers, and the connection manager uses it where both versions are. */
    private static final int ROCE_V2_RANK = 10;

    private final VerbsLibrary verbs;
    private final long context;
    private final String device;
    private final DeviceFolder folder;

    GidTable(final VerbsLibrary verbs, final long context, final String device, final DeviceFolder folder) {
        this.verbs = verbs;
        this.context = context;
        this.device = device;
        this.folder = folder;
    }

    /**
     * An entry.
     *
     * @return 16 bytes, zeros where none is set.
     * @throws VerbsException EINVAL when the table has no such index.
     */
    byte[] gid(final int port, final int index) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment gid = ibv_gid.allocate(arena);
            final SetupCall.Result result = verbs.queryGid.invoke(context, (byte) port, index, gid);
            if (result.value() != 0) {
                throw new VerbsException("ibv_query_gid", Errno.EINVAL,
                    "gid=" + index + " is not in the table of port " + port + " of device " + device);
            }
            return gid.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private boolean isRoceV2(final int port, final int index) {
        return ROCE_V2.equals(folder.gidType(port, index));
    }

    /**
     * The entry that suits best where nothing else decides: the address that was asked for, RoCE v2 before v1, then
     * IPv4 before a global IPv6 address before one of a link, which reaches nobody behind a router.
     *
     * @param asked null for none.
     */
    int best(final int port, final int count, final byte[] asked) {
        int best = 0;
        int bestRank = 0;
        for (int i = 0; i < count; i++) {
            final byte[] gid = gid(port, i);
            if (!Arrays.equals(gid, UNSET)) {
                final int rank = (Arrays.equals(gid, asked) ? ASKED_RANK : 0)
                    + (isRoceV2(port, i) ? ROCE_V2_RANK : 0)
                    + (GidText.isMapped(gid) ? 3 : GidText.isLinkLocal(gid) ? 1 : 2);
                if (rank > bestRank) {
                    best = i;
                    bestRank = rank;
                }
            }
        }
        return best;
    }

    /** An address of a port that reaches a peer as far as can be seen from both: the best of them; null without one. */
    InetAddress towards(final int port, final InetAddress peer) {
        final int count = length(port);
        InetAddress found = null;
        for (int i = 0; i < count; i++) {
            final byte[] gid = gid(port, i);
            if (!Arrays.equals(gid, UNSET)) {
                final InetAddress address = address(port, i, gid);
                if (SocketAddresses.isAlike(address, peer)) {
                    if (isRoceV2(port, i)) {
                        return address;
                    }
                    found = found == null ? address : found;
                }
            }
        }
        return found;
    }

    /** The IP address that a GID on Ethernet is made of, that of a link with its interface. */
    InetAddress address(final int port, final int index, final byte[] gid) {
        try {
            if (!GidText.isLinkLocal(gid)) {
                // a mapped address comes back as what it is
                return InetAddress.getByAddress(gid);
            }
            final NetworkInterface zone = NetworkInterface.getByName(folder.gidInterface(port, index));
            return zone == null
                ? InetAddress.getByAddress(gid) : Inet6Address.getByAddress(null, gid, zone.getIndex());
        } catch (final IOException e) {
            throw new UncheckedIOException("a GID is an address", e);
        }
    }

    private int length(final int port) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = ibv_port_attr.allocate(arena);
            verbs.queryPort.check("device " + device + " has no port " + port, context, (byte) port, attributes);
            return ibv_port_attr.gid_tbl_len(attributes);
        }
    }

    boolean has(final int port, final int count, final byte[] address) {
        for (int i = 0; i < count; i++) {
            if (Arrays.equals(address, gid(port, i))) {
                return true;
            }
        }
        return false;
    }

    SourceAddress source(final int port, final int index, final byte[] gid, final int partitionKey) {
        return new SourceAddress(
            port, GidText.of(gid), folder.gidType(port, index), folder.gidInterface(port, index), partitionKey);
    }

    /** Port and network interface that have an address now; empty when none has, and for one that is on any link. */
    String place(final byte[] address) {
        if (Arrays.equals(address, UNSET) || GidText.isLinkLocal(address)) {
            return "";
        }
        final int ports = DeviceQuery.portCount(verbs, context);
        for (int port = 1; port <= ports; port++) {
            final int count = length(port);
            for (int i = 0; i < count; i++) {
                if (Arrays.equals(address, gid(port, i))) {
                    return "port " + port + " " + folder.gidInterface(port, i);
                }
            }
        }
        return "";
    }

    /**
     * Finds the place in the port's table where an address is now, of that type and interface: the same one may be on
     * several.
     */
    int find(final SourceAddress source, final int count) {
        for (int i = 0; i < count; i++) {
            final byte[] gid = gid(source.port(), i);
            if (!Arrays.equals(gid, UNSET) && source.gid().equals(GidText.of(gid))
                && source.equals(source(source.port(), i, gid, source.partitionKey()))) {
                return i;
            }
        }
        throw new VerbsException("ibv_query_gid", Remedies.EADDRNOTAVAIL, "device " + device + " does not have address "
            + source.describe() + " any more, which the connection came by: ./sluice devices tells those it has");
    }
}
