package io.sluice.verbs.rdma;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Writes a GID as the IPv6 address that it is. Stateless; looks nothing up. */
final class GidText {
    /** The bytes in front of an IPv4 address that is written as an IPv6 one (RFC 4291, 2.5.5.2). */
    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
    private static final int IPV4_LENGTH = 4;
    private static final int NO_SCOPE = -1;
    private static final byte LINK_LOCAL_BYTE = (byte) 0xfe;
    private static final int LINK_LOCAL_MASK = 0xc0;
    private static final int LINK_LOCAL_BITS = 0x80;

    private GidText() {
    }

    /** Text of 16 bytes in the order of the wire. */
    static String of(final byte[] gid) {
        try {
            if (isMapped(gid)) {
                final byte[] address = Arrays.copyOfRange(gid, MAPPED_PREFIX.length, gid.length);
                return "::ffff:" + InetAddress.getByAddress(address).getHostAddress();
            }
            return Inet6Address.getByAddress(null, gid, NO_SCOPE).getHostAddress();
        } catch (final UnknownHostException e) {
            throw new IllegalArgumentException("gid has " + gid.length + " bytes, not " + PeerAddress.GID_LENGTH, e);
        }
    }

    /** Text of a GID that is not made of an address; empty when it is, and where there is no GID. */
    static String contradiction(final byte[] gid, final byte[] address) {
        return gid.length == 0 || Arrays.equals(gid, of16(address)) ? "" : of(gid);
    }

    /** The 16 bytes of a literal IP address, an IPv4 one mapped into IPv6; a zone does not matter. */
    static byte[] parse(final String address) {
        return of16(InetAddress.ofLiteral(address).getAddress());
    }

    /** Bytes as the kernel makes a GID of the address that packets leave from (rdma_ip2gid), also of a VLAN's. */
    private static byte[] of16(final byte[] bytes) {
        if (bytes.length != IPV4_LENGTH) {
            return bytes;
        }
        final byte[] gid = Arrays.copyOf(MAPPED_PREFIX, PeerAddress.GID_LENGTH);
        System.arraycopy(bytes, 0, gid, MAPPED_PREFIX.length, bytes.length);
        return gid;
    }

    /** The IPv4 address that is mapped into 16 bytes, or else these. */
    static byte[] unmapped(final byte[] address) {
        return isMapped(address) ? Arrays.copyOfRange(address, MAPPED_PREFIX.length, address.length) : address;
    }

    /** Whether the GID means something on one link only: {@code fe80::/10}. */
    static boolean isLinkLocal(final byte[] gid) {
        return gid[0] == LINK_LOCAL_BYTE && (gid[1] & LINK_LOCAL_MASK) == LINK_LOCAL_BITS;
    }

    /** Whether the GID is an IPv4 address. */
    static boolean isMapped(final byte[] gid) {
        return Arrays.equals(Arrays.copyOf(gid, MAPPED_PREFIX.length), MAPPED_PREFIX);
    }
}
