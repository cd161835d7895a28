package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SendChainTest extends VerbsSuite {
    private static final int LENGTH = 64;
    private static final int CAPACITY = 4;
    /** The offset at which a message of the left side arrives at the right one. */
    private static final int ARRIVED = 8192;

    private Endpoint left;
    private Endpoint right;
    private SendChain chain;

    private void connect(final int sendWork) {
        final Rig.Link link = rig.link(new EndpointOptions().sendWork(sendWork), new EndpointOptions());
        left = link.left();
        right = link.right();
        chain = left.queuePair.newSendChain(CAPACITY);
    }

    private int addWrite(final long id, final int flags, final int offset) {
        return chain.addWrite(id, flags, left.address(offset), left.region.localKey(), LENGTH, right.address(offset),
            right.region.remoteKey());
    }

    private int addWriteWithImmediate(final long id, final int flags, final int offset, final int immediate) {
        return chain.addWriteWithImmediate(id, flags, left.address(offset), left.region.localKey(), LENGTH,
            right.address(offset), right.region.remoteKey(), immediate);
    }

    private List<Long> sent(final int count) {
        return rig.await(left.sendQueue, count).stream().peek(completion -> assertTrue(completion.isSuccess()))
            .map(Completion::workRequestId).toList();
    }

    private void assertReceived(final long id, final int opcode, final int length, final int immediate) {
        final Completion received = rig.awaitSuccess(right.receiveQueue);
        assertEquals(id, received.workRequestId());
        assertEquals(opcode, received.opcode());
        assertEquals(length, received.byteLength());
        assertEquals(immediate, received.immediate());
    }

    @Test
    void shouldCarryOutAChainInItsOrder() {
        rig.assumeInline(8);
        connect(16);
        for (int i = 0; i < 3; i++) {
            assertEquals(Errno.OK, right.receive(10 + i, ARRIVED + i * LENGTH, LENGTH));
        }
        left.fill(0, 4 * LENGTH, 7);
        final int key = left.region.localKey();

        assertEquals(Errno.OK, addWrite(1, WorkFlags.SIGNALED, 0));
        assertEquals(Errno.OK, addWriteWithImmediate(2, WorkFlags.NONE, LENGTH, 0x0102_0304));
        assertEquals(Errno.OK, chain.addSend(3, WorkFlags.SIGNALED, left.address(0), key, LENGTH));
        assertEquals(Errno.OK, chain.addSendWithImmediate(
            4, WorkFlags.SIGNALED | WorkFlags.INLINE, left.address(0), 0, 8, 0x8070_6050));
        assertEquals(CAPACITY, chain.length());
        assertTrue(right.isZero(0, 2 * LENGTH), "posted already");
        assertEquals(Errno.OK, chain.post());

        assertEquals(0, chain.length());
        assertReceived(10, WorkOpcode.RECV_RDMA_WITH_IMM, LENGTH, 0x0102_0304);
        assertReceived(11, WorkOpcode.RECV, LENGTH, 0);
        assertReceived(12, WorkOpcode.RECV, 8, 0x8070_6050);
        assertEquals(List.of(1L, 3L, 4L), sent(3));
        assertTrue(right.holds(0, 2 * LENGTH, 7));
        assertTrue(right.holds(ARRIVED + LENGTH, LENGTH, 7));
        assertTrue(right.holds(ARRIVED + 2 * LENGTH, 8, 7));
    }

    @Test
    void shouldBeFilledAndPostedAgainAndAgain() {
        connect(16);
        for (int round = 0; round < 200; round++) {
            final int length = 1 + round % CAPACITY;
            left.fill(0, length * LENGTH, round);
            for (int i = 0; i < length; i++) {
                assertEquals(Errno.OK, addWrite(round, i == length - 1 ? WorkFlags.SIGNALED : WorkFlags.NONE,
                    i * LENGTH));
            }
            assertEquals(Errno.OK, chain.post());
            assertEquals(List.of((long) round), sent(1));
            assertTrue(right.holds(0, length * LENGTH, round));
        }
    }

    @Test
    void shouldKeepWhatDoesNotFitInTheSendQueue() {
        rig.assumeHas(DeviceFixture.Ability.HOLDS_SEND_SLOTS);
        connect(8);
        final int slots = left.queuePair.attributes().maxSendWork();
        for (int i = 0; i < slots - 1; i++) {
            assertEquals(Errno.OK, left.write(i, WorkFlags.SIGNALED, 0, 8, right));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(Errno.OK, addWrite(100 + i, WorkFlags.SIGNALED, i * LENGTH));
        }

        assertEquals(Errno.ENOMEM, chain.post());
        assertEquals(2, chain.length());
        assertEquals(Errno.ENOMEM, chain.post());
        assertEquals(2, chain.length());
        assertEquals(Errno.OK, addWrite(103, WorkFlags.SIGNALED, 0));
        assertEquals(Errno.ENOMEM, addWrite(104, WorkFlags.SIGNALED, 0));
        assertEquals(slots, sent(slots).size());
        assertEquals(Errno.OK, chain.post());

        assertEquals(List.of(101L, 102L, 103L), sent(3));
        assertEquals(Errno.OK, addWrite(104, WorkFlags.SIGNALED, 0), "all of it is free");
    }

    @Test
    void shouldRefuseWhatCannotBePrepared() {
        connect(16);
        final QueuePairAttributes attributes = left.queuePair.attributes();

        assertEquals(Errno.OK, chain.post(), "nothing to post");
        assertEquals(Errno.EINVAL, chain.addSend(1, WorkFlags.NONE, left.address(0), left.region.localKey(), -1));
        assertEquals(Errno.EINVAL, chain.addSend(
            1, WorkFlags.INLINE, left.address(0), left.region.localKey(), attributes.maxInlineData() + 1));
        assertEquals(0, chain.length());
        for (int i = 0; i < CAPACITY; i++) {
            assertEquals(Errno.OK, addWrite(i, WorkFlags.SIGNALED, 0));
        }
        assertEquals(Errno.ENOMEM, addWrite(9, WorkFlags.SIGNALED, 0));
        chain.clear();
        assertEquals(0, chain.length());
        assertEquals(Errno.OK, addWrite(9, WorkFlags.SIGNALED, 0));
        assertEquals(Errno.OK, chain.post());
        assertEquals(List.of(9L), sent(1));

        for (final int capacity : new int[] {-1, 0, attributes.maxSendWork() + 1}) {
            assertEquals(Errno.EINVAL, assertThrows(
                VerbsException.class, () -> left.queuePair.newSendChain(capacity)).errno());
        }
        assertEquals(attributes.maxSendWork(),
            left.queuePair.newSendChain(attributes.maxSendWork()).capacity());
    }

    @Test
    void shouldPostNothingThroughAQueuePairThatIsNotReadyOrClosed() {
        final Endpoint alone = rig.onFirst(new EndpointOptions());
        alone.initialise();
        final SendChain early = alone.queuePair.newSendChain(1);
        assertEquals(Errno.OK,
            early.addSend(1, WorkFlags.SIGNALED, alone.address(0), alone.region.localKey(), LENGTH));
        assertEquals(Errno.EINVAL, early.post());
        assertEquals(1, early.length());

        alone.queuePair.close();
        assertEquals(Errno.EINVAL, early.post());
        assertEquals(1, early.length());
    }
}
