package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendReceiveTest extends VerbsSuite {
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        final Rig.Link link = rig.link();
        left = link.left();
        right = link.right();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 100, 1024})
    void shouldFillAReceive(final int length) {
        left.fill(0, length, 4);
        assertEquals(Errno.OK, right.receive(21, 2048, 1024));

        assertEquals(Errno.OK, left.send(22, WorkFlags.SIGNALED, 0, length));

        final Completion received = rig.awaitSuccess(right.receiveQueue);
        assertEquals(21, received.workRequestId());
        assertEquals(WorkOpcode.RECV, received.opcode());
        assertEquals(length, received.byteLength());
        assertFalse(received.hasImmediate());
        assertTrue(right.holds(2048, length, 4));
        assertTrue(right.isZero(2048 + length, 1024));
        final Completion sent = rig.awaitSuccess(left.sendQueue);
        assertEquals(22, sent.workRequestId());
        assertEquals(WorkOpcode.SEND, sent.opcode());
    }

    @Test
    void shouldCarryImmediateData() {
        right.receive(1, 0, 64);

        left.queuePair.postSendWithImmediate(
            2, WorkFlags.SIGNALED, left.address(0), left.region.localKey(), 16, 0x8000_0001);

        final Completion received = rig.awaitSuccess(right.receiveQueue);
        assertTrue(received.hasImmediate());
        assertEquals(0x8000_0001, received.immediate());
        assertEquals(16, received.byteLength());
    }

    @Test
    void shouldSendNothing() {
        right.queuePair.postReceives(1, 1);

        assertEquals(Errno.OK, left.queuePair.postSend(2, WorkFlags.SIGNALED, 0, 0, 0));

        assertEquals(0, rig.awaitSuccess(right.receiveQueue).byteLength());
    }

    @Test
    void shouldSendInline() {
        rig.assumeInline(40);
        right.receive(1, 0, 64);
        left.fill(0, 40, 8);

        left.queuePair.postSend(2, WorkFlags.SIGNALED | WorkFlags.INLINE, left.address(0), 0, 40);
        left.buffer.setMemory(0, 40, (byte) 0);

        assertEquals(40, rig.awaitSuccess(right.receiveQueue).byteLength());
        assertTrue(right.holds(0, 40, 8));
    }

    @Test
    void shouldUseReceivesInTheOrderPosted() {
        right.receive(1, 0, 64);
        right.queuePair.postReceives(2, 1);
        right.receive(3, 128, 64);
        left.fill(0, 32, 6);

        left.send(11, WorkFlags.SIGNALED, 0, 32);
        left.writeImmediate(12, WorkFlags.SIGNALED, 4096, 8, right, 5);
        left.send(13, WorkFlags.SIGNALED, 0, 32);

        final List<Completion> received = rig.await(right.receiveQueue, 3);
        assertEquals(List.of(1L, 2L, 3L), received.stream().map(Completion::workRequestId).toList());
        assertEquals(WorkOpcode.RECV_RDMA_WITH_IMM, received.get(1).opcode());
        assertTrue(right.holds(0, 32, 6));
        assertTrue(right.holds(128, 32, 6));
    }

    @Test
    void shouldFillReceivesOverManyLaps() {
        for (int lap = 0; lap < 20; lap++) {
            for (int i = 0; i < 16; i++) {
                assertEquals(Errno.OK, right.receive(i, 64 * i, 64));
            }
            for (int i = 0; i < 16; i++) {
                left.fill(0, 64, lap * 16 + i);
                assertEquals(Errno.OK, left.send(i, WorkFlags.SIGNALED, 0, 64));
                rig.awaitSuccess(left.sendQueue);
            }
            for (int i = 0; i < 16; i++) {
                assertEquals(i, rig.awaitSuccess(right.receiveQueue).workRequestId());
                assertTrue(right.holds(64 * i, 64, lap * 16 + i));
            }
        }
    }

    @Test
    void shouldRefuseMoreReceivesThanGranted() {
        final int granted = right.queuePair.attributes().maxReceiveWork();

        assertEquals(Errno.ENOMEM, right.queuePair.postReceives(1, granted + 1));
        assertEquals(Errno.OK, right.queuePair.postReceives(1, granted));
        assertEquals(Errno.ENOMEM, right.queuePair.postReceives(1, 1));
        assertEquals(Errno.ENOMEM, right.receive(1, 0, 8));
        assertEquals(Errno.EINVAL, right.queuePair.postReceives(1, 0));
    }

    @Test
    void shouldFailBothEndsWhenTheReceiveIsTooShort() {
        right.receive(1, 0, 16);
        right.receive(2, 64, 16);
        left.fill(0, 17, 7);

        assertEquals(Errno.OK, left.send(3, WorkFlags.NONE, 0, 17));

        final Completion received = rig.await(right.receiveQueue);
        assertEquals(1, received.workRequestId());
        assertTrue(received.status() == WorkStatus.LOC_LEN_ERR || received.status() == WorkStatus.LOC_QP_OP_ERR,
            received.toString());
        assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(right.receiveQueue).status());
        final Completion sent = rig.await(left.sendQueue);
        assertEquals(3, sent.workRequestId());
        assertTrue(sent.status() == WorkStatus.REM_INV_REQ_ERR || sent.status() == WorkStatus.REM_OP_ERR,
            sent.toString());
        rig.awaitState(left.queuePair, QueuePairState.ERROR);
        rig.awaitState(right.queuePair, QueuePairState.ERROR);
        assertTrue(right.isZero(16, 64), "nothing was written beyond the receive");
    }

    @Test
    void shouldRefuseAReceiveOutsideItsRegion() {
        rig.assumeHas(DeviceFixture.Ability.CHECKS_RECEIVES_WHEN_POSTED);
        final int length = (int) right.region.length();

        assertEquals(Errno.EINVAL, right.receive(1, length - 8, 16));
        assertEquals(Errno.EINVAL, right.receive(1, -8, 16));
        assertEquals(Errno.EINVAL, right.receive(1, 0, -1));
        assertEquals(Errno.EINVAL,
            right.queuePair.postReceive(1, right.address(0), right.region.localKey() ^ 0x5a5a, 16));
    }

    @Test
    void shouldNotFillAReceiveWhoseRegionIsClosed() {
        final MemoryRegion closed = rig.secondDomain.allocateRegion(4096, Endpoint.REGION_ACCESS);
        assertEquals(Errno.OK, right.queuePair.postReceive(1, closed.address(), closed.localKey(), 64));
        closed.close();

        left.send(2, WorkFlags.NONE, 0, 32);

        assertFalse(rig.await(left.sendQueue).isSuccess());
        final Completion received = rig.await(right.receiveQueue);
        assertFalse(received.isSuccess());
        assertEquals(1, received.workRequestId());
    }
}
