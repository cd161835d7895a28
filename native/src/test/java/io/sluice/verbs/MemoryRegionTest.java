package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class MemoryRegionTest extends VerbsSuite {
    private static final int LENGTH = 10_000;

    @Test
    void shouldAllocateZeroedMemory() {
        final MemoryRegion region = rig.keep(rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));

        assertEquals(LENGTH, region.length());
        assertEquals(LENGTH, region.buffer().capacity());
        assertEquals(region.address(), region.buffer().addressOffset());
        for (int i = 0; i < LENGTH; i++) {
            assertEquals(0, region.buffer().getByte(i));
        }
    }

    @Test
    void shouldKeepWhatIsWrittenThroughAnotherView() {
        final MemoryRegion region = rig.keep(rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));

        region.buffer().putLong(8, 42);

        assertEquals(42, region.buffer().getLong(8));
    }

    @Test
    void shouldGiveEachRegionItsOwnKeyAndMemory() {
        final MemoryRegion one = rig.keep(rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));
        final MemoryRegion other = rig.keep(rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));

        assertNotEquals(one.remoteKey(), other.remoteKey());
        assertNotEquals(one.localKey(), other.localKey());
        assertTrue(Math.abs(one.address() - other.address()) >= LENGTH);
    }

    @Test
    void shouldRefuseALengthOutOfRange() {
        final long tooLong = rig.first.attributes().maxMemoryRegionLength() + 1;

        assertThrows(VerbsException.class, () -> rig.firstDomain.allocateRegion(0, Endpoint.REGION_ACCESS));
        assertThrows(VerbsException.class, () -> rig.firstDomain.allocateRegion(-1, Endpoint.REGION_ACCESS));
        assertThrows(VerbsException.class, () -> rig.firstDomain.allocateRegion(tooLong, Endpoint.REGION_ACCESS));
    }

    @Test
    void shouldRefuseRemoteWriteWithoutLocalWrite() {
        final VerbsException e = assertThrows(
            VerbsException.class, () -> rig.firstDomain.allocateRegion(LENGTH, AccessFlags.REMOTE_WRITE));

        assertEquals(Errno.EINVAL, e.errno());
    }

    @Test
    void shouldCloseTwice() {
        final MemoryRegion region = rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS);

        region.close();
        region.close();
    }

    @Test
    void shouldShareMemoryReadableByTheOpener() {
        assumeTrue(rig.first.attributes().sharesMemory(), "the device does not share memory");
        final MemoryRegion original = rig.keep(rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));
        final MemoryRegion shared =
            rig.keep(rig.secondDomain.openShared(original.shareToken(), LENGTH, Endpoint.REGION_ACCESS));

        original.buffer().putLong(16, 4711);

        assertEquals(LENGTH, shared.length());
        assertNotEquals(original.remoteKey(), shared.remoteKey());
        assertEquals(4711, shared.buffer().getLong(16));
    }

    @Test
    void shouldKeepSharedMemoryAfterTheOriginalIsClosed() {
        assumeTrue(rig.first.attributes().sharesMemory(), "the device does not share memory");
        final MemoryRegion original = rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS);
        final MemoryRegion shared =
            rig.keep(rig.secondDomain.openShared(original.shareToken(), LENGTH, Endpoint.REGION_ACCESS));
        original.buffer().putLong(16, 4711);

        original.close();

        assertEquals(4711, shared.buffer().getLong(16));
    }

    @Test
    void shouldRefuseATokenOfAClosedRegion() {
        assumeTrue(rig.first.attributes().sharesMemory(), "the device does not share memory");
        final MemoryRegion original = rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS);
        final byte[] token = original.shareToken();
        original.close();

        final VerbsException e = assertThrows(
            VerbsException.class, () -> rig.secondDomain.openShared(token, LENGTH, Endpoint.REGION_ACCESS));

        assertEquals(Errno.EINVAL, e.errno());
    }

    @Test
    void shouldRefuseEveryDamagedToken() {
        assumeTrue(rig.first.attributes().sharesMemory(), "the device does not share memory");
        final MemoryRegion original = rig.keep(rig.firstDomain.allocateRegion(LENGTH, Endpoint.REGION_ACCESS));
        final byte[] token = original.shareToken();

        for (int length = 0; length < token.length; length++) {
            final byte[] cut = java.util.Arrays.copyOf(token, length);
            assertThrows(VerbsException.class, () -> rig.secondDomain.openShared(cut, LENGTH, Endpoint.REGION_ACCESS));
        }
        for (int i = 0; i < token.length; i++) {
            final byte[] changed = token.clone();
            changed[i] ^= 0x55;
            assertThrows(VerbsException.class,
                () -> rig.secondDomain.openShared(changed, LENGTH, Endpoint.REGION_ACCESS));
        }
        assertThrows(VerbsException.class,
            () -> rig.secondDomain.openShared(new byte[10_000], LENGTH, Endpoint.REGION_ACCESS));
    }

    @Test
    void shouldTellAndNotCopyWhatIsSharedAlready() {
        assumeTrue(rig.first.attributes().sharesMemory(), "the device does not share memory");
        final Rig.Link link = rig.link();
        final MemoryRegion shared =
            rig.keep(rig.secondDomain.openShared(
                link.left().region.shareToken(), link.left().region.length(), Endpoint.REGION_ACCESS));
        link.right().queuePair.postReceives(7, 1);
        link.left().fill(64, 100, 5);

        final int result = link.left().queuePair.postWriteWithImmediate(
            1, WorkFlags.SIGNALED, link.left().address(64), link.left().region.localKey(), 100,
            shared.address() + 64, shared.remoteKey(), 9);

        assertEquals(Errno.OK, result);
        assertEquals(100, rig.awaitSuccess(link.right().receiveQueue).byteLength());
        final byte[] expected = new byte[100];
        final byte[] actual = new byte[100];
        link.left().buffer.getBytes(64, expected);
        shared.buffer().getBytes(64, actual);
        assertArrayEquals(expected, actual);
    }
}
