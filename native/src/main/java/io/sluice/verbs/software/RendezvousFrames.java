package io.sluice.verbs.software;

import io.sluice.environment.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Frames of the connection manager on a socket. Reads and writes what is possible now, never blocks, and closes the
 * socket at the first byte that makes no sense.
 * <pre>
 *   magic 4 | version 1 | type 1 | address length 2 | private data length 2 | address | private data
 * </pre>
 * REQUEST (address and private data of the client), then ACCEPT (those of the server) and READY, or REJECT. The end of
 * the socket is the disconnect.
 */
final class RendezvousFrames {
    static final int NONE = 0;
    static final int REQUEST = 1;
    static final int ACCEPT = 2;
    static final int REJECT = 3;
    static final int READY = 4;
    /** The socket has ended, or what came on it was no frame. */
    static final int ENDED = -1;

    private static final int MAGIC = 0x5343_4d31;
    private static final byte VERSION = 1;
    private static final int HEADER_LENGTH = 10;
    private static final int MAX_PRIVATE_DATA = 256;
    private static final int BUFFER_LENGTH = HEADER_LENGTH + SoftwareLimits.MAX_ADDRESS_LENGTH + MAX_PRIVATE_DATA;

    private final LocalSocket socket;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer out = ByteBuffer.allocateDirect(2 * BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private byte[] address = {};
    private byte[] privateData = {};
    private boolean hasEnded;

    RendezvousFrames(final LocalSocket socket) {
        this.socket = socket;
    }

    /** Send a frame; at most two in the life of a socket, so they always fit. */
    void send(final int type, final byte[] ownAddress, final byte[] data, final int paddedLength) {
        out.putInt(MAGIC).put(VERSION).put((byte) type).putShort((short) ownAddress.length)
            .putShort((short) paddedLength).put(ownAddress).put(Arrays.copyOf(data, paddedLength));
        flush();
    }

    private void flush() {
        out.flip();
        try {
            while (out.hasRemaining() && socket.write(out) > 0) {
                continue;
            }
        } catch (final IOException e) {
            // The peer is gone: reading tells that too, after what it has sent before.
            out.position(out.limit());
        }
        out.compact();
    }

    /** Read what is there; the type of a whole frame, NONE or ENDED. */
    int receive() {
        if (out.position() != 0) {
            flush();
        }
        int type = parse();
        if (type == NONE && !hasEnded) {
            try {
                final int count = socket.read(in);
                hasEnded = count < 0;
            } catch (final IOException e) {
                // A reset is an end like any other.
                hasEnded = true;
            }
            type = parse();
        }
        if (type == ENDED || type == NONE && hasEnded) {
            close();
            return ENDED;
        }
        return type;
    }

    private int parse() {
        if (in.position() < HEADER_LENGTH) {
            return NONE;
        }
        final int type = in.get(5);
        final int addressLength = in.getShort(6) & 0xffff;
        final int dataLength = in.getShort(8) & 0xffff;
        if (in.getInt(0) != MAGIC || in.get(4) != VERSION || type < REQUEST || type > READY
            || addressLength > SoftwareLimits.MAX_ADDRESS_LENGTH || dataLength > MAX_PRIVATE_DATA) {
            return ENDED;
        }
        if (in.position() < HEADER_LENGTH + addressLength + dataLength) {
            return NONE;
        }
        in.flip().position(HEADER_LENGTH);
        address = new byte[addressLength];
        in.get(address);
        privateData = new byte[dataLength];
        in.get(privateData);
        in.compact();
        return type;
    }

    /** Address in the last frame received. */
    byte[] address() {
        return address;
    }

    /** Private data in the last frame received. */
    byte[] privateData() {
        return privateData;
    }

    void close() {
        hasEnded = true;
        socket.close();
    }
}
