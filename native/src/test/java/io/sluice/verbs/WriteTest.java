package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTest extends VerbsSuite {
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        final Rig.Link link = rig.link();
        left = link.left();
        right = link.right();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 31, 32, 33, 255, 256, 257, 4095, 4096, 60_000})
    void shouldWriteIntoThePeersMemoryAndNothingBeside(final int length) {
        left.fill(64, length, length);

        assertEquals(Errno.OK, left.write(5, WorkFlags.SIGNALED, 64, length, right));

        final Completion completion = rig.awaitSuccess(left.sendQueue);
        assertEquals(5, completion.workRequestId());
        assertEquals(WorkOpcode.RDMA_WRITE, completion.opcode());
        assertEquals(left.queuePair.number(), completion.queuePair());
        rig.until("the bytes", () -> right.holds(64, length, length));
        assertTrue(right.isZero(0, 64));
        assertTrue(right.isZero(64 + length, 64));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 9})
    void shouldWriteBetweenUnalignedAddresses(final int shift) {
        left.fill(8 + shift, 100, shift);

        left.queuePair.postWrite(1, WorkFlags.SIGNALED, left.address(8 + shift), left.region.localKey(), 100,
            right.address(1000), right.region.remoteKey());

        rig.awaitSuccess(left.sendQueue);
        rig.until("the bytes", () -> right.holds(1000, 100, shift));
    }

    @Test
    void shouldWriteToTheEdgesOfARegion() {
        final int length = (int) right.region.length();
        left.fill(0, length, 3);

        left.write(1, WorkFlags.SIGNALED, 0, 1, right);
        left.write(2, WorkFlags.SIGNALED, length - 1, 1, right);
        left.write(3, WorkFlags.SIGNALED, 0, length, right);

        rig.await(left.sendQueue, 3).forEach(c -> assertTrue(c.isSuccess(), c.toString()));
        rig.until("the bytes", () -> right.holds(0, length, 3));
    }

    @Test
    void shouldTellThePeerByImmediate() {
        left.fill(128, 500, 1);
        right.queuePair.postReceives(77, 1);

        assertEquals(Errno.OK, left.writeImmediate(6, WorkFlags.SIGNALED, 128, 500, right, 0xcafe_babe));

        final Completion received = rig.awaitSuccess(right.receiveQueue);
        assertTrue(right.holds(128, 500, 1), "the bytes are visible before the completion");
        assertEquals(77, received.workRequestId());
        assertEquals(WorkOpcode.RECV_RDMA_WITH_IMM, received.opcode());
        assertTrue(received.hasImmediate());
        assertEquals(0xcafe_babe, received.immediate());
        assertEquals(500, received.byteLength());
        assertEquals(right.queuePair.number(), received.queuePair());
        final Completion sent = rig.awaitSuccess(left.sendQueue);
        assertEquals(6, sent.workRequestId());
        assertEquals(WorkOpcode.RDMA_WRITE, sent.opcode());
    }

    @Test
    void shouldTellWithoutBytes() {
        right.queuePair.postReceives(1, 1);

        left.writeImmediate(1, WorkFlags.SIGNALED, 0, 0, right, -1);

        final Completion received = rig.awaitSuccess(right.receiveQueue);
        assertEquals(0, received.byteLength());
        assertEquals(-1, received.immediate());
    }

    @Test
    void shouldIgnoreKeysWhenThereAreNoBytes() {
        assertEquals(Errno.OK, left.queuePair.postWrite(1, WorkFlags.SIGNALED, 0, 0, 0, 0, 0));

        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldDeliverInOrder() {
        right.queuePair.postReceives(1, 16);
        for (int i = 0; i < 16; i++) {
            left.buffer.putInt(4 * i, i + 1);
            assertEquals(Errno.OK, left.writeImmediate(i, WorkFlags.SIGNALED, 4 * i, 4, right, i));
        }
        for (int i = 0; i < 16; i++) {
            assertEquals(i, rig.awaitSuccess(right.receiveQueue).immediate());
            assertEquals(i + 1, right.buffer.getInt(4 * i));
            assertEquals(i, rig.awaitSuccess(left.sendQueue).workRequestId());
        }
    }

    @Test
    void shouldTakeInlineBytesAtOnceFromAnyMemory() {
        rig.assumeInline(8);
        final UnsafeBuffer anywhere = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(64));
        anywhere.putLong(0, 0x1122_3344_5566_7788L);

        final int result = left.queuePair.postWrite(1, WorkFlags.SIGNALED | WorkFlags.INLINE,
            anywhere.addressOffset(), 0, 8, right.address(8), right.region.remoteKey());
        anywhere.putLong(0, 0);

        assertEquals(Errno.OK, result);
        rig.awaitSuccess(left.sendQueue);
        rig.until("the bytes", () -> right.buffer.getLong(8) == 0x1122_3344_5566_7788L);
    }

    @Test
    void shouldTakeInlineBytesUpToTheGrantedLimit() {
        final int limit = left.queuePair.attributes().maxInlineData();
        left.fill(0, limit + 1, 9);

        assertNotEquals(Errno.OK, left.write(1, WorkFlags.SIGNALED | WorkFlags.INLINE, 0, limit + 1, right));
        assertEquals(Errno.OK, left.write(2, WorkFlags.SIGNALED | WorkFlags.INLINE, 0, limit, right));

        assertEquals(2, rig.awaitSuccess(left.sendQueue).workRequestId());
        rig.until("the bytes", () -> right.holds(0, limit, 9));
        assertEquals(0, right.buffer.getByte(limit));
    }

    @Test
    void shouldRefuseANegativeLength() {
        assertEquals(Errno.EINVAL, left.write(1, WorkFlags.SIGNALED, 0, -1, right));
        assertEquals(Errno.EINVAL, left.write(1, WorkFlags.SIGNALED | WorkFlags.INLINE, 0, -1, right));
    }

    @Test
    void shouldWriteEachWayAtOnce() {
        left.fill(0, 64, 1);
        right.fill(1024, 64, 2);

        left.write(1, WorkFlags.SIGNALED, 0, 64, right);
        right.write(2, WorkFlags.SIGNALED, 1024, 64, left);

        rig.awaitSuccess(left.sendQueue);
        rig.awaitSuccess(right.sendQueue);
        rig.until("the bytes", () -> right.holds(0, 64, 1) && left.holds(1024, 64, 2));
        assertFalse(left.isZero(0, 64));
    }

    @Test
    void shouldWriteToSeveralRegionsOfThePeer() {
        for (int i = 0; i < 100; i++) {
            try (MemoryRegion region = rig.secondDomain.allocateRegion(4096, Endpoint.REGION_ACCESS)) {
                left.buffer.putInt(0, i + 1);
                left.queuePair.postWrite(i, WorkFlags.SIGNALED, left.address(0), left.region.localKey(), 4,
                    region.address() + 12, region.remoteKey());
                assertEquals(i, rig.awaitSuccess(left.sendQueue).workRequestId());
                assertEquals(i + 1, region.buffer().getInt(12));
            }
        }
    }
}
