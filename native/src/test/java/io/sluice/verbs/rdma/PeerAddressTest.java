package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PeerAddressTest {
    private static final byte[] GID = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 1};

    @Test
    void shouldComeBackAsItWas() {
        final PeerAddress address = PeerAddress.decode(new PeerAddress(0x12_3456, 0xff_ffff, 0xffff, 5, GID).encode());

        assertEquals(0x12_3456, address.queuePair());
        assertEquals(0xff_ffff, address.packetNumber());
        assertEquals(0xffff, address.lid());
        assertEquals(5, address.mtu());
        assertArrayEquals(GID, address.gid());
    }

    @Test
    void shouldRefuseEveryDamage() {
        final byte[] bytes = new PeerAddress(17, 42, 0, 3, GID).encode();
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
        refused(new PeerAddress(0, 1, 0, 3, GID).encode());
        refused(new PeerAddress(1 << 24, 1, 0, 3, GID).encode());
        refused(new PeerAddress(1, -1, 0, 3, GID).encode());
        refused(new PeerAddress(1, 1, 1 << 16, 3, GID).encode());
        refused(new PeerAddress(1, 1, 0, 0, GID).encode());
        refused(new PeerAddress(1, 1, 0, 6, GID).encode());
    }

    private static void refused(final byte[] bytes) {
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> PeerAddress.decode(bytes)).errno());
    }
}
