package io.sluice.environment;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses as they are written, {@code host:port}: tells names from literals. Stateless; any thread. */
public final class HostAddresses {
    private HostAddresses() {
    }

    /**
     * Find the name in an address.
     *
     * @param address {@code host:port}, and malformed as it may be.
     * @return its host when it is a name, or null when there is nothing to look up.
     */
    public static String nameIn(final String address) {
        final int port = address.lastIndexOf(':');
        if (port < 1) {
            return null;
        }
        final String host = address.substring(0, port);
        final boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        try {
            InetAddress.ofLiteral(isBracketed ? host.substring(1, host.length() - 1) : host);
            return null;
        } catch (final IllegalArgumentException e) {
            return host;
        }
    }

    /**
     * Write a host as it stands before a port.
     *
     * @param host that was looked up.
     * @return its literal address, of IPv6 in brackets.
     */
    public static String literal(final InetAddress host) {
        return host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
    }

    /**
     * Whether an address stands for any address of its host, in whatever spelling. A name that was looked up a moment
     * ago is not asked for again; any other may take as long as the name servers do.
     *
     * @param address {@code host:port}, malformed as it may be.
     * @return false also when nobody knows the host.
     */
    public static boolean isAny(final String address) {
        final int colon = address.lastIndexOf(':');
        try {
            return colon > 0 && InetAddress.getByName(address.substring(0, colon)).isAnyLocalAddress();
        } catch (final UnknownHostException e) {
            return false;
        }
    }
}
