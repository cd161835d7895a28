package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The address that a connection leaves from. The routes decide, as they do for librdmacm, and so which port and GID it
 * is; but for a GID that was asked for, and a device that the routes do not lead through: then it is an address of that
 * device, and the connection manager finds out whether the peer can be reached from it.
 *
 * @param address null where the connection manager chooses.
 * @param device  name of the device.
 * @param routed  the address that the routes would leave from, when that is not one of the device; or null.
 */
record SourceChoice(InetAddress address, String device, InetAddress routed) {
    private static final String CALL = "rdma_resolve_addr";

    /** Chooses the source of a connection to a peer; the channel's monitor is held. */
    static SourceChoice towards(final ConnectionChannel channel, final InetSocketAddress peer) {
        final DeviceContext device = channel.device();
        if (device.options().gidIndex() != RdmaDeviceOptions.BEST_GID) {
            return new SourceChoice(asked(device, peer.getAddress()), device.name(), null);
        }
        final InetAddress routed = device.environment().sourceAddress(peer);
        if (routed == null) {
            // The connection manager says why.
            return new SourceChoice(null, device.name(), null);
        }
        if (channel.leadsHere(routed)) {
            return new SourceChoice(routed, device.name(), null);
        }
        return new SourceChoice(
            device.ports().gids().towards(device.ports().last().number(), peer.getAddress()), device.name(), routed);
    }

    /** The address of the GID that was asked for; null on a port that is not Ethernet. */
    private static InetAddress asked(final DeviceContext device, final InetAddress peer) {
        final VerbsPort port = device.ports().now(SourceAddress.ANY);
        if (!port.isEthernet()) {
            return null;
        }
        final InetAddress address = device.ports().gids().address(port.number(), port.gidIndex(), port.gid());
        if (!SocketAddresses.isAlike(address, peer)) {
            throw new VerbsException(CALL, Errno.EINVAL, "gid=" + port.gidIndex() + " of device " + device.name()
                + " is " + GidText.of(port.gid()) + ", and reaches no address like " + peer.getHostAddress()
                + ": name another gid, or none");
        }
        return address;
    }

    MemorySegment encode(final Arena arena) {
        return address == null
            ? MemorySegment.NULL : SocketAddresses.encode(new InetSocketAddress(address, 0), arena);
    }

    /** The choice for people to read. */
    String describe() {
        return "device " + device + (address == null ? "" : " at " + address.getHostAddress())
            + (routed == null ? "" : ", although the route leaves from " + routed.getHostAddress());
    }
}
