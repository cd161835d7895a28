package io.sluice.verbs;

import java.util.Objects;

/**
 * The end of a path that is this device's: which port packets leave by, which of its addresses (GIDs) they carry, and
 * in which partition. A connection tells its own ({@link Connection#sourceAddress()}), and queue pairs that are to go
 * the same way are created with it ({@link QueuePairAttributes#withSourceAddress}). Address and partition key are found
 * again wherever in the port's tables they have moved to. Immutable; any thread.
 *
 * @param port             number of the port, from 1; 0 for {@link #ANY}.
 * @param gid              as an IPv6 address; an IPv4 one is written {@code ::ffff:10.0.0.1}.
 * @param gidType          {@code "RoCE v2"}, {@code "IB/RoCE v1"}, or empty when the kernel does not tell.
 * @param networkInterface of the kernel that the address belongs to, or empty: addresses of one link are on many.
 * @param partitionKey     of 16 bits, on InfiniBand; {@link #FIRST_PARTITION} for the first of the port's table, and on
 *                         Ethernet, which has no other.
 */
public record SourceAddress(int port, String gid, String gidType, String networkInterface, int partitionKey) {
    /** No partition key: the one that the port's table begins with. */
    public static final int FIRST_PARTITION = 0;
    /** The port and address that the device was opened with, and all that a device without addresses has. */
    public static final SourceAddress ANY = new SourceAddress(0, "", "", "", FIRST_PARTITION);

    /**
     * An address.
     *
     * @throws NullPointerException when a part is missing.
     */
    public SourceAddress {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(gidType, "gidType");
        Objects.requireNonNull(networkInterface, "networkInterface");
    }

    /**
     * Whether the device chooses.
     *
     * @return true for {@link #ANY}.
     */
    public boolean isAny() {
        return port == 0;
    }

    /**
     * The address for people to read.
     *
     * @return for example {@code "::ffff:10.0.0.1 (RoCE v2, eth0) of port 1"}, on InfiniBand with the partition key.
     */
    public String describe() {
        if (isAny()) {
            return "any";
        }
        final String kind = gidType + (gidType.isEmpty() || networkInterface.isEmpty() ? "" : ", ") + networkInterface;
        return gid + (kind.isEmpty() ? "" : " (" + kind + ")") + " of port " + port
            + (partitionKey == FIRST_PARTITION ? "" : ", partition 0x" + Integer.toHexString(partitionKey));
    }
}
