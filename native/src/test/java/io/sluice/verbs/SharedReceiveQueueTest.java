package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SharedReceiveQueueTest extends VerbsSuite {
    private static final int SLOT = 64;
    private static final int WORK = 16;

    private MemoryRegion region;
    private SharedReceiveQueue shared;
    private Endpoint[] left;
    private Endpoint[] right;

    @BeforeEach
    void create() {
        assumeTrue(rig.second.attributes().maxSharedReceiveWorkRequests() > 0,
            "the device has no shared receive queues");
        region = rig.keep(rig.secondDomain.allocateRegion(WORK * SLOT, AccessFlags.LOCAL_WRITE));
        shared = rig.keep(rig.secondDomain.createSharedReceiveQueue(WORK));
    }

    /** Two queue pairs that draw on the queue, and their peers. */
    private void connectTwo(final EndpointOptions sender) {
        left = new Endpoint[2];
        right = new Endpoint[2];
        for (int i = 0; i < 2; i++) {
            final Rig.Link link = rig.link(sender, new EndpointOptions().sharedQueue(shared));
            left[i] = link.left();
            right[i] = link.right();
        }
    }

    private void connectTwo() {
        connectTwo(new EndpointOptions());
    }

    private int receive(final int slot) {
        return shared.postReceive(slot, region.address() + slot * SLOT, region.localKey(), SLOT);
    }

    private void send(final int from, final int number) {
        left[from].buffer.putInt(0, number);
        assertEquals(Errno.OK, left[from].send(number, WorkFlags.SIGNALED, 0, 4 + number % 32));
        rig.awaitSuccess(left[from].sendQueue);
    }

    @Test
    void shouldGiveEachMessageTheNextReceive() {
        connectTwo();
        for (int slot = 0; slot < 4; slot++) {
            assertEquals(Errno.OK, receive(slot));
        }

        send(0, 100);
        send(1, 101);
        send(1, 102);
        send(0, 103);

        final int[] to = {0, 1, 1, 0};
        for (int slot = 0; slot < 4; slot++) {
            final Completion completion = rig.awaitSuccess(right[to[slot]].receiveQueue);
            assertEquals(slot, completion.workRequestId());
            assertEquals(WorkOpcode.RECV, completion.opcode());
            assertEquals(right[to[slot]].queuePair.number(), completion.queuePair());
            assertEquals(4 + (100 + slot) % 32, completion.byteLength());
            assertEquals(100 + slot, region.buffer().getInt(slot * SLOT));
        }
        assertEquals(0, right[0].queuePair.attributes().maxReceiveWork());
        assertSame(shared, right[0].queuePair.attributes().sharedReceiveQueue());
    }

    @Test
    void shouldTellWritesWithImmediate() {
        connectTwo();
        assertEquals(Errno.OK, shared.postReceives(7, 2));
        left[1].fill(0, 500, 3);

        assertEquals(Errno.OK, left[1].writeImmediate(1, WorkFlags.SIGNALED, 0, 500, right[1], 42));
        assertEquals(Errno.OK, left[0].writeImmediate(2, WorkFlags.SIGNALED, 0, 0, right[0], -1));

        final Completion completion = rig.awaitSuccess(right[1].receiveQueue);
        assertEquals(7, completion.workRequestId());
        assertEquals(WorkOpcode.RECV_RDMA_WITH_IMM, completion.opcode());
        assertEquals(42, completion.immediate());
        assertTrue(right[1].holds(0, 500, 3));
        assertEquals(-1, rig.awaitSuccess(right[0].receiveQueue).immediate());
    }

    @Test
    void shouldReuseReceivesThatComeBackInAnyOrder() {
        connectTwo();
        for (int slot = 0; slot < WORK; slot++) {
            assertEquals(Errno.OK, receive(slot));
        }
        final Set<Long> taken = new HashSet<>();
        for (int i = 0; i < WORK; i++) {
            send(i % 2, i);
        }
        // All of one queue pair first: every other receive stays out.
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < WORK / 2; i++) {
                final Completion completion = rig.awaitSuccess(right[1 - round].receiveQueue);
                assertTrue(taken.add(completion.workRequestId()), completion.toString());
                assertEquals((int) completion.workRequestId(),
                    region.buffer().getInt((int) completion.workRequestId() * SLOT));
                assertEquals(Errno.OK, receive((int) completion.workRequestId()));
            }
        }
        for (int i = 0; i < 10 * WORK; i++) {
            send(i & 1, i);
            final Completion completion = rig.awaitSuccess(right[i & 1].receiveQueue);
            assertEquals(i, region.buffer().getInt((int) completion.workRequestId() * SLOT));
            assertEquals(Errno.OK, receive((int) completion.workRequestId()));
        }
    }

    @Test
    void shouldServeQueuePairsOfOneCompletionQueue() {
        final CompletionQueue queue = rig.queueOnSecond(64, null);
        left = new Endpoint[3];
        right = new Endpoint[3];
        for (int i = 0; i < 3; i++) {
            final Rig.Link link = rig.link(new EndpointOptions(),
                new EndpointOptions().sharedQueue(shared).queues(rig.queueOnSecond(32, null), queue));
            left[i] = link.left();
            right[i] = link.right();
        }
        for (int slot = 0; slot < WORK; slot++) {
            receive(slot);
        }
        for (int i = 0; i < 60; i++) {
            send(i % 3, i);
            final Completion completion = rig.awaitSuccess(queue);
            assertEquals(right[i % 3].queuePair.number(), completion.queuePair());
            assertEquals(i, region.buffer().getInt((int) completion.workRequestId() * SLOT));
            receive((int) completion.workRequestId());
        }
    }

    @Test
    void shouldFailASenderForWhomThereIsNoReceive() {
        connectTwo();

        assertEquals(Errno.OK, left[0].send(1, WorkFlags.SIGNALED, 0, 8));

        assertEquals(WorkStatus.RNR_RETRY_EXC_ERR, rig.await(left[0].sendQueue).status());
        assertEquals(QueuePairState.READY_TO_SEND, right[0].queuePair.state());
    }

    @Test
    void shouldServeASenderThatWaited() {
        connectTwo(new EndpointOptions().rnrRetryCount(7));
        left[0].buffer.putInt(0, 5);
        assertEquals(Errno.OK, left[0].send(1, WorkFlags.SIGNALED, 0, 8));
        rig.duties();
        assertEquals(Errno.ENOENT, left[0].sendQueue.startPoll());

        receive(3);

        rig.awaitSuccess(left[0].sendQueue);
        assertEquals(3, rig.awaitSuccess(right[0].receiveQueue).workRequestId());
        assertEquals(5, region.buffer().getInt(3 * SLOT));
    }

    @Test
    void shouldTellOnceThatFewReceivesAreLeft() {
        connectTwo();
        for (int slot = 0; slot < 5; slot++) {
            receive(slot);
        }
        shared.armLimit(3);

        send(0, 0);
        send(1, 1);
        rig.awaitSuccess(right[1].receiveQueue);
        assertEquals(0, rig.events(AsyncEventType.SRQ_LIMIT_REACHED), "three are left");
        send(0, 2);
        assertSame(shared, rig.awaitEvent(AsyncEventType.SRQ_LIMIT_REACHED).sharedQueue());
        send(1, 3);
        rig.awaitSuccess(right[1].receiveQueue);
        assertEquals(1, rig.events(AsyncEventType.SRQ_LIMIT_REACHED), "it was asked for once");

        shared.armLimit(1);
        send(0, 4);
        rig.until("the second event", () -> rig.events(AsyncEventType.SRQ_LIMIT_REACHED) == 2);
    }

    @Test
    void shouldHoldWhatWasGrantedAndNoMore() {
        connectTwo();
        assertTrue(shared.capacity() >= WORK);

        assertEquals(Errno.EINVAL, shared.postReceives(1, 0));
        assertEquals(Errno.ENOMEM, shared.postReceives(1, shared.capacity() + 1));
        assertEquals(Errno.OK, shared.postReceives(1, shared.capacity()));
        assertEquals(Errno.ENOMEM, shared.postReceives(1, 1));
        assertEquals(Errno.ENOMEM, receive(1));
        left[0].writeImmediate(1, WorkFlags.SIGNALED, 0, 8, right[0], 1);
        rig.awaitSuccess(right[0].receiveQueue);
        assertEquals(Errno.OK, shared.postReceives(1, 1));
    }

    @Test
    void shouldTakeReceivesNowhereElse() {
        connectTwo();

        assertEquals(Errno.EINVAL, right[0].queuePair.postReceives(1, 1));
        assertEquals(Errno.EINVAL, right[0].receive(1, 0, 8));
    }

    @Test
    void shouldRefuseAReceiveOutsideItsRegion() {
        rig.assumeHas(DeviceFixture.Ability.CHECKS_RECEIVES_WHEN_POSTED);

        assertEquals(Errno.EINVAL, shared.postReceive(1, region.address() + WORK * SLOT - 8, region.localKey(), 16));
        assertEquals(Errno.EINVAL, shared.postReceive(1, region.address(), region.localKey() ^ 0x5a5a, 16));
        assertEquals(Errno.EINVAL, shared.postReceive(1, region.address(), region.localKey(), -1));
    }

    @Test
    void shouldLeaveReceivesToTheOthersWhenAQueuePairFails() {
        connectTwo();
        for (int slot = 0; slot < 3; slot++) {
            receive(slot);
        }
        send(0, 9);
        rig.awaitSuccess(right[0].receiveQueue);

        right[0].queuePair.fail();

        assertEquals(QueuePairState.ERROR, right[0].queuePair.state());
        for (int i = 1; i < 3; i++) {
            send(1, 20 + i);
            final Completion completion = rig.awaitSuccess(right[1].receiveQueue);
            assertEquals(i, completion.workRequestId());
            assertEquals(20 + i, region.buffer().getInt(i * SLOT));
        }
        assertEquals(Errno.ENOENT, right[0].receiveQueue.startPoll(), "nothing is flushed");
    }

    @Test
    void shouldTellThatAFailedQueuePairTakesNoMore() {
        connectTwo();

        right[1].queuePair.fail();

        assertSame(right[1].queuePair, rig.awaitEvent(AsyncEventType.QP_LAST_WQE_REACHED).queuePair());
    }

    @Test
    void shouldCompleteAReceiveThatIsTooShort() {
        connectTwo();
        receive(2);
        receive(3);

        assertEquals(Errno.OK, left[0].send(1, WorkFlags.NONE, 0, SLOT + 1));

        final Completion received = rig.await(right[0].receiveQueue);
        assertEquals(2, received.workRequestId());
        assertTrue(received.status() == WorkStatus.LOC_LEN_ERR || received.status() == WorkStatus.LOC_QP_OP_ERR,
            received.toString());
        assertFalse(rig.await(left[0].sendQueue).isSuccess());
        rig.awaitState(right[0].queuePair, QueuePairState.ERROR);
        send(1, 8);
        assertEquals(3, rig.awaitSuccess(right[1].receiveQueue).workRequestId());
    }

    @Test
    void shouldFreeReceivesWhoseCompletionsVanishWithTheirQueuePair() {
        connectTwo();
        assertEquals(Errno.OK, shared.postReceives(1, shared.capacity()));
        for (int i = 0; i < 4; i++) {
            assertEquals(Errno.OK, left[0].writeImmediate(i, WorkFlags.SIGNALED, 0, 8, right[0], i));
        }
        rig.await(left[0].sendQueue, 4).forEach(c -> assertTrue(c.isSuccess(), c.toString()));

        right[0].queuePair.close();

        assertEquals(Errno.OK, shared.postReceives(2, 4));
        assertEquals(Errno.ENOMEM, shared.postReceives(2, 1));
    }

    @Test
    void shouldRefuseToCloseWhileQueuePairsUseIt() {
        connectTwo();

        refuses(Errno.EBUSY, shared::close);
        assertEquals(Errno.OK, shared.postReceives(1, 1));
        right[0].close();
        refuses(Errno.EBUSY, shared::close);
        right[1].close();
        shared.close();
        shared.close();

        assertEquals(Errno.EINVAL, shared.postReceives(1, 1));
        refuses(Errno.EINVAL, () -> shared.armLimit(1));
        refuses(Errno.EINVAL, () -> rig.onSecond(new EndpointOptions().sharedQueue(shared)));
    }

    @Test
    void shouldLeaveCompletionQueuesFreeWhenAQueuePairIsRefused() {
        final CompletionQueue sends = rig.queueOnSecond(16, null);
        final CompletionQueue receives = rig.queueOnSecond(16, null);
        shared.close();

        refuses(Errno.EINVAL, () -> rig.onSecond(new EndpointOptions().queues(sends, receives).sharedQueue(shared)));

        sends.close();
        receives.close();
    }

    @Test
    void shouldRefuseSizesAndLimitsOutOfRange() {
        final int max = rig.second.attributes().maxSharedReceiveWorkRequests();

        for (final int size : new int[] {0, -1, max + 1}) {
            final VerbsException refused = refuses(
                Errno.EINVAL, () -> rig.secondDomain.createSharedReceiveQueue(size));
            assertTrue(refused.getMessage().contains("maxWork=" + size), refused.getMessage());
        }
        refuses(Errno.EINVAL, () -> shared.armLimit(-1));
        refuses(Errno.EINVAL, () -> shared.armLimit(shared.capacity() + 1));
        shared.armLimit(0);
    }

    @Test
    void shouldRefuseAQueueOfAnotherDevice() {
        refuses(Errno.EINVAL, () -> rig.onFirst(new EndpointOptions().sharedQueue(shared)));
    }

    private static VerbsException refuses(final int errno, final Executable what) {
        final VerbsException refused = assertThrows(VerbsException.class, what);
        assertEquals(errno, refused.errno(), refused.getMessage());
        return refused;
    }
}
