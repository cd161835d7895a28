package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The address at which a queue pair can be reached, to be handed to the peer by other means:
 * <pre>
 *  0       4       8       12      16  17  18      20                  36      40
 *  | magic | queue | packet| lid   |mtu|ask| spare | gid               | crc   |
 *  |       | pair  | number|       |   |   |       | 16 bytes          |       |
 * </pre>
 * in network byte order.
 *
 * @param queuePair    number of the queue pair.
 * @param packetNumber of its first packet.
 * @param lid          local identifier on InfiniBand, 0 on Ethernet.
 * @param mtu          code of its path's largest packet.
 * @param isGlobal     whether its port asks for a global routing header of what comes to it, as {@link VerbsPort} says:
 *                     the lowest bit of a byte that older versions leave 0 and do not look at.
 * @param gid          16 bytes.
 */
record PeerAddress(int queuePair, int packetNumber, int lid, int mtu, boolean isGlobal, byte[] gid) {
    /** Bytes of an encoded address. */
    static final int LENGTH = 40;
    static final int GID_LENGTH = 16;
    private static final int MAGIC = 0x534c5131;
    private static final int SPARE_LENGTH = 2;
    private static final int GLOBAL = 1;
    private static final int MAX_24_BITS = (1 << 24) - 1;
    private static final int MAX_16_BITS = (1 << 16) - 1;
    private static final int MAX_MTU_CODE = 5;

    byte[] encode() {
        final byte[] bytes = new byte[LENGTH];
        ByteBuffer.wrap(bytes).putInt(MAGIC).putInt(queuePair).putInt(packetNumber).putInt(lid).put((byte) mtu)
            .put((byte) (isGlobal ? GLOBAL : 0)).put(new byte[SPARE_LENGTH]).put(gid).putInt(checksum(bytes));
        return bytes;
    }

    /**
     * Decode what has come from outside.
     *
     * @throws VerbsException EINVAL when it is damaged.
     */
    static PeerAddress decode(final byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw malformed("length=" + bytes.length + " is not " + LENGTH);
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (buffer.getInt() != MAGIC || buffer.getInt(LENGTH - Integer.BYTES) != checksum(bytes)) {
            throw malformed("it is damaged, or of another kind or version");
        }
        final PeerAddress address = new PeerAddress(buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.get(),
            (buffer.get() & GLOBAL) != 0,
            Arrays.copyOfRange(bytes, LENGTH - Integer.BYTES - GID_LENGTH, LENGTH - Integer.BYTES));
        check("queuePair", address.queuePair, 1, MAX_24_BITS);
        check("packetNumber", address.packetNumber, 0, MAX_24_BITS);
        check("lid", address.lid, 0, MAX_16_BITS);
        check("mtu", address.mtu, 1, MAX_MTU_CODE);
        return address;
    }

    /** The GID in what has come from outside; none when that is damaged. */
    static byte[] gidOf(final byte[] bytes) {
        try {
            return decode(bytes).gid;
        } catch (final VerbsException e) {
            return new byte[0];
        }
    }

    private static void check(final String name, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw malformed(name + "=" + value + " is not in " + min + ".." + max);
        }
    }

    private static VerbsException malformed(final String why) {
        return new VerbsException("ibv_modify_qp", Errno.EINVAL, "the peer's address cannot be used: " + why);
    }

    private static int checksum(final byte[] bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, LENGTH - Integer.BYTES);
        return (int) crc.getValue();
    }
}
