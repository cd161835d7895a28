package io.sluice.verbs.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A socket address in the C library's form.
 *
 * @param bytes as they lie in memory: family, port, and address.
 */
record SocketAddress(byte[] bytes) {
    static final SocketAddress NONE = new SocketAddress(new byte[0]);
    /** Length of {@code sockaddr_in6}, the longer of the two. */
    private static final int LENGTH = 28;
    private static final int IPV4_LENGTH = 16;
    private static final byte IPV4 = 2;
    private static final int IPV4_START = 4;
    private static final int IPV6_START = 8;
    private static final int ADDRESS_LENGTH = 16;
    private static final int PORT_START = 2;
    private static final byte LOOPBACK = 127;

    static SocketAddress at(final long address) {
        final byte family = MemorySegment.ofAddress(address).reinterpret(1).get(ValueLayout.JAVA_BYTE, 0);
        return new SocketAddress(MemorySegment.ofAddress(address)
            .reinterpret(family == IPV4 ? IPV4_LENGTH : LENGTH).toArray(ValueLayout.JAVA_BYTE));
    }

    void write(final MemorySegment struct, final long offset) {
        MemorySegment.copy(bytes, 0, struct, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    int port() {
        return (bytes[PORT_START] & 0xff) << Byte.SIZE | bytes[PORT_START + 1] & 0xff;
    }

    SocketAddress withPort(final int port) {
        final byte[] changed = bytes.clone();
        changed[PORT_START] = (byte) (port >> Byte.SIZE);
        changed[PORT_START + 1] = (byte) port;
        return new SocketAddress(changed);
    }

    private boolean isIpv4() {
        return bytes[0] == IPV4;
    }

    /** The host's part. */
    private byte[] host() {
        return isIpv4() ? Arrays.copyOfRange(bytes, IPV4_START, IPV4_START + Integer.BYTES)
            : Arrays.copyOfRange(bytes, IPV6_START, IPV6_START + ADDRESS_LENGTH);
    }

    /** Whether the address is of this machine only, which the model's port serves. */
    boolean isLoopback() {
        final byte[] ipv6 = new byte[ADDRESS_LENGTH];
        ipv6[ADDRESS_LENGTH - 1] = 1;
        return isIpv4() ? host()[0] == LOOPBACK : Arrays.equals(host(), ipv6);
    }

    boolean isAny() {
        return Arrays.equals(host(), new byte[host().length]);
    }

    /** Whether who listens at this address hears of who connects to the other. */
    boolean serves(final SocketAddress other) {
        return port() == other.port() && (isAny() || Arrays.equals(host(), other.host()));
    }
}
