package io.sluice.codec;

import io.sluice.codec.control.AcceptPrivateDataDecoder;
import io.sluice.codec.control.ConnectPrivateDataDecoder;
import io.sluice.codec.control.RejectPrivateDataDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The private data that the connection manager carries when a connection is opened: three small layouts (see the
 * composites of the schema) that begin alike. A device pads them, so that their own length counts and not that of what
 * arrived; a longer one is that of a newer version.
 * <pre>
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  0|                  magic: 'S' 'L' 'C' 'E'                       |
 *   +-------------------------------+-------------------------------+
 *  4|       protocol version        |          own length           |
 *   +-------------------------------+-------------------------------+
 *  8|                  transport id (high, low)                    ...
 * </pre>
 * Only these checks tell whether the peer is a Sluice at all; values are judged by the transport. Stateless; any thread
 * may call it.
 */
public final class PrivateDataDescriptor {
    /** The bytes 'S' 'L' 'C' 'E' as a little-endian uint32. */
    public static final int MAGIC = 0x45434C53;

    /** Bytes that RDMA connection management carries with a request (rdma_connect(3), RDMA_PS_TCP). */
    public static final int MAX_CONNECT_LENGTH = 56;

    /** Bytes that RDMA connection management carries with an acceptance (rdma_accept(3), RDMA_PS_TCP). */
    public static final int MAX_ACCEPT_LENGTH = 196;

    /** Bytes that RDMA connection management carries with a rejection (rdma_reject(3), RDMA_PS_TCP). */
    public static final int MAX_REJECT_LENGTH = 148;

    private static final int PROTOCOL_VERSION_OFFSET = 4;
    private static final int OWN_LENGTH_OFFSET = 6;

    private PrivateDataDescriptor() {
    }

    /**
     * Checks what a listener received with a connection request.
     *
     * @param buffer holds the private data
     * @param offset of the private data in the buffer
     * @param length bytes, with the device's padding
     * @return {@link ControlMessageReader#OK}, {@link ControlMessageReader#TRUNCATED} (also if the range does not lie
     *         within the buffer), {@link ControlMessageReader#UNKNOWN_SCHEMA} (another magic),
     *         {@link ControlMessageReader#UNKNOWN_VERSION} (0), or {@link ControlMessageReader#BAD_LENGTH}
     */
    public static int checkConnect(final DirectBuffer buffer, final int offset, final int length) {
        return check(buffer, offset, length, ConnectPrivateDataDecoder.ENCODED_LENGTH);
    }

    /**
     * Checks what came back with an acceptance.
     *
     * @param buffer holds the private data
     * @param offset of the private data in the buffer
     * @param length bytes, with the device's padding
     * @return as {@link #checkConnect(DirectBuffer, int, int)}
     */
    public static int checkAccept(final DirectBuffer buffer, final int offset, final int length) {
        return check(buffer, offset, length, AcceptPrivateDataDecoder.ENCODED_LENGTH);
    }

    /**
     * Checks what came back with a rejection. A connection that no Sluice listens for is rejected without private data.
     *
     * @param buffer holds the private data
     * @param offset of the private data in the buffer
     * @param length bytes, with the device's padding
     * @return as {@link #checkConnect(DirectBuffer, int, int)}
     */
    public static int checkReject(final DirectBuffer buffer, final int offset, final int length) {
        return check(buffer, offset, length, RejectPrivateDataDecoder.ENCODED_LENGTH);
    }

    private static int check(final DirectBuffer buffer, final int offset, final int length, final int knownLength) {
        if (offset < 0 || length < knownLength || offset > buffer.capacity() - length) {
            return ControlMessageReader.TRUNCATED;
        }
        if (buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN) != MAGIC) {
            return ControlMessageReader.UNKNOWN_SCHEMA;
        }
        if (buffer.getShort(offset + PROTOCOL_VERSION_OFFSET, ByteOrder.LITTLE_ENDIAN) == 0) {
            return ControlMessageReader.UNKNOWN_VERSION;
        }
        final int ownLength = buffer.getShort(offset + OWN_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        final boolean isLegal = ownLength >= knownLength && ownLength <= length;
        return isLegal ? ControlMessageReader.OK : ControlMessageReader.BAD_LENGTH;
    }
}
