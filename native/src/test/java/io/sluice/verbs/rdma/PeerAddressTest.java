package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class PeerAddressTest {
    private static final byte[] GID = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 1};

    @Test
    void shouldComeBackAsItWas() {
        final PeerAddress address =
            PeerAddress.decode(new PeerAddress(0x12_3456, 0xff_ffff, 0xffff, 5, true, GID).encode());

        assertEquals(0x12_3456, address.queuePair());
        assertEquals(0xff_ffff, address.packetNumber());
        assertEquals(0xffff, address.lid());
        assertEquals(5, address.mtu());
        assertTrue(address.isGlobal());
        assertArrayEquals(GID, address.gid());
    }

    /** An older address is as versions before wrote it, with three bytes of zeros after the packet length. */
    @Test
    void shouldTakeAnOlderAddressForOneThatAsksForNoGlobalRoute() {
        final byte[] bytes = HexFormat.of().parseHex(
            "534c51310000001100000002000000090500000000000000000000000000ffff0a4d000154072773");

        final PeerAddress address = PeerAddress.decode(bytes);

        assertFalse(address.isGlobal());
        assertArrayEquals(bytes, address.encode());
    }

    /** A later version may say more in the byte that it is said in. */
    @Test
    void shouldLookAtOneBitOnlyForWhetherAGlobalRouteIsAskedFor() {
        assertTrue(PeerAddress.decode(withByteAfterLength(0xff)).isGlobal());
        assertFalse(PeerAddress.decode(withByteAfterLength(0xfe)).isGlobal());
    }

    /** An address whose byte after the packet length is so. */
    private static byte[] withByteAfterLength(final int value) {
        final byte[] bytes = new PeerAddress(17, 42, 0, 3, false, GID).encode();
        bytes[17] = (byte) value;
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
        return bytes;
    }

    @Test
    void shouldRefuseEveryDamage() {
        final byte[] bytes = new PeerAddress(17, 42, 0, 3, false, GID).encode();
        for (int length = 0; length < bytes.length; length++) {
            refused(Arrays.copyOf(bytes, length));
        }
        refused(Arrays.copyOf(bytes, bytes.length + 1));
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            final byte[] damaged = bytes.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            refused(damaged);
        }
    }

    @Test
    void shouldRefuseNumbersOutOfRange() {
        refused(new PeerAddress(0, 1, 0, 3, false, GID).encode());
        refused(new PeerAddress(1 << 24, 1, 0, 3, false, GID).encode());
        refused(new PeerAddress(1, -1, 0, 3, false, GID).encode());
        refused(new PeerAddress(1, 1, 1 << 16, 3, false, GID).encode());
        refused(new PeerAddress(1, 1, 0, 0, false, GID).encode());
        refused(new PeerAddress(1, 1, 0, 6, false, GID).encode());
    }

    private static void refused(final byte[] bytes) {
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> PeerAddress.decode(bytes)).errno());
    }
}
