package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Chooses the device that is meant where none is named. Stateless; any thread. */
final class DeviceChoice {
    private DeviceChoice() {
    }

    /**
     * The device that has an address, else the first one whose port is active, else the first one, which tells why it
     * cannot be used when it is opened.
     *
     * @param devices      one or more, with their ports.
     * @param port         that will be opened, or {@link RdmaDeviceOptions#ANY_PORT}.
     * @param localAddress an IP address, or empty.
     * @return its name.
     */
    static String choose(final List<DeviceDescription> devices, final int port, final String localAddress) {
        final InetAddress address = localAddress.isEmpty() ? null : InetAddress.ofLiteral(localAddress);
        return devices.stream().filter(device -> address != null && has(device, address)).findFirst()
            .or(() -> devices.stream().filter(device -> isActive(device, port)).findFirst())
            .orElse(devices.getFirst()).name();
    }

    private static boolean has(final DeviceDescription device, final InetAddress address) {
        // a mapped address comes back as what it is
        return device.ports().stream().flatMap(port -> port.gids().stream())
            .anyMatch(gid -> address.equals(InetAddress.ofLiteral(gid.address())));
    }

    private static boolean isActive(final DeviceDescription device, final int number) {
        return device.ports().stream().anyMatch(port ->
            (number == RdmaDeviceOptions.ANY_PORT || port.number() == number) && port.isActive());
    }

    /** See {@link RdmaDevices#localAddress}. */
    static String localAddress(final Environment environment, final String address, final boolean isOwn) {
        try {
            final InetSocketAddress socket = SocketAddresses.parse("rdma_resolve_addr", address);
            final InetAddress local = isOwn ? socket.getAddress() : environment.sourceAddress(socket);
            return local == null ? "" : local.getHostAddress();
        } catch (final VerbsException e) {
            return "";
        }
    }
}
