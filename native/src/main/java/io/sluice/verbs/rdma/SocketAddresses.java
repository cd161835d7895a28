package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.sockaddr_in;
import io.sluice.verbs.rdma.generated.sockaddr_in6;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** {@code host:port} and the C library's socket addresses. */
final class SocketAddresses {
    /** {@code AF_INET}. */
    private static final short IPV4 = 2;
    /** {@code AF_INET6}. */
    private static final short IPV6 = 10;
    private static final int MAX_PORT = 65535;
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

    private SocketAddresses() {
    }

    /**
     * Parse and resolve, which may ask a name server.
     *
     * @param call    for the message.
     * @param address {@code host:port}, an IPv6 address in brackets.
     * @throws VerbsException EINVAL when it is malformed, the host unknown, or a link-local address without its zone.
     */
    static InetSocketAddress parse(final String call, final String address) {
        final int colon = address.lastIndexOf(':');
        if (colon < 1) {
            throw malformed(call, address, "it is not host:port");
        }
        final String digits = address.substring(colon + 1);
        try {
            final int port = Integer.parseInt(digits);
            if (port < 1 || port > MAX_PORT) {
                throw outOfRange(call, address, digits);
            }
            final InetAddress host = InetAddress.getByName(address.substring(0, colon));
            if (host instanceof Inet6Address ipv6 && ipv6.isLinkLocalAddress() && ipv6.getScopeId() == 0) {
                throw malformed(call, address, "it is one of a link, so say by which network interface:"
                    + " [fe80::1%eth0]:40123");
            }
            return new InetSocketAddress(host, port);
        } catch (final NumberFormatException e) {
            throw NUMBER.matcher(digits).matches()
                ? outOfRange(call, address, digits) : malformed(call, address, "its port is no number");
        } catch (final UnknownHostException e) {
            throw malformed(call, address, "nobody knows that host");
        }
    }

    private static VerbsException outOfRange(final String call, final String address, final String port) {
        return malformed(call, address, "port=" + port + " is not in 1.." + MAX_PORT);
    }

    private static VerbsException malformed(final String call, final String address, final String why) {
        return new VerbsException(call, Errno.EINVAL, "address=" + address + ": " + why);
    }

    /** The C library's form. */
    static MemorySegment encode(final InetSocketAddress address, final Arena arena) {
        final byte[] host = address.getAddress().getAddress();
        final short port = Short.reverseBytes((short) address.getPort());
        if (address.getAddress() instanceof Inet4Address) {
            final MemorySegment segment = sockaddr_in.allocate(arena);
            sockaddr_in.sin_family(segment, IPV4);
            sockaddr_in.sin_port(segment, port);
            MemorySegment.copy(host, 0, sockaddr_in.sin_addr(segment), ValueLayout.JAVA_BYTE, 0, host.length);
            return segment;
        }
        final MemorySegment segment = sockaddr_in6.allocate(arena);
        sockaddr_in6.sin6_family(segment, IPV6);
        sockaddr_in6.sin6_port(segment, port);
        MemorySegment.copy(host, 0, sockaddr_in6.sin6_addr(segment), ValueLayout.JAVA_BYTE, 0, host.length);
        // A link-local address means nothing without its interface, as in [fe80::1%eth0]:40123.
        sockaddr_in6.sin6_scope_id(segment, ((Inet6Address) address.getAddress()).getScopeId());
        return segment;
    }

    /** Whether packets from the one can reach the other: both of one family, and both or none of one link. */
    static boolean isAlike(final InetAddress address, final InetAddress peer) {
        return address instanceof Inet4Address == peer instanceof Inet4Address
            && address.isLinkLocalAddress() == peer.isLinkLocalAddress();
    }

    private static InetAddress host(final MemorySegment address) throws UnknownHostException {
        final byte[] bytes = address(address);
        final int zone = bytes.length == PeerAddress.GID_LENGTH ? sockaddr_in6.sin6_scope_id(address) : 0;
        return zone == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, zone);
    }

    /**
     * The bytes of the host's address; none when there is no address. An IPv4 address that is mapped into IPv6, as who
     * listens at {@code [::]} sees it, is the IPv4 address: a host must not count as two.
     */
    static byte[] address(final MemorySegment address) {
        return switch (address.get(ValueLayout.JAVA_SHORT, 0)) {
            case IPV4 -> sockaddr_in.sin_addr(address).toArray(ValueLayout.JAVA_BYTE);
            case IPV6 -> GidText.unmapped(sockaddr_in6.sin6_addr(address).toArray(ValueLayout.JAVA_BYTE));
            default -> new byte[0];
        };
    }

    /** The address for people to read. */
    static String describe(final MemorySegment address) {
        final short family = address.get(ValueLayout.JAVA_SHORT, 0);
        if (family != IPV4 && family != IPV6) {
            return "nobody";
        }
        final short port = family == IPV4 ? sockaddr_in.sin_port(address) : sockaddr_in6.sin6_port(address);
        try {
            final InetAddress host = host(address);
            final String text = host.getHostAddress();
            return (host instanceof Inet4Address ? text : "[" + text + "]")
                + ":" + Short.toUnsignedInt(Short.reverseBytes(port));
        } catch (final UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
