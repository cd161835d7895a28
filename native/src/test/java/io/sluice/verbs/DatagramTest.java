package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagram queue pairs and address handles. */
class DatagramTest extends VerbsSuite {
    private static final int HEADER = QueuePair.GLOBAL_ROUTE_HEADER_LENGTH;
    private static final int TARGET = 8192;
    private static final int ROUNDS = Integer.parseInt(System.getProperty("sluice.verbs.rounds", "40"));

    private Endpoint left;
    private Endpoint right;
    private AddressHandle toRight;

    @BeforeEach
    void open() {
        assumeTrue(rig.first.attributes().maxDatagramLength() > 0, "the device has no datagrams");
        left = rig.onFirst(new EndpointOptions().datagrams());
        right = rig.onSecond(new EndpointOptions().datagrams());
        left.openForDatagrams();
        right.openForDatagrams();
        toRight = rig.keep(rig.firstDomain.createAddressHandle(rig.second.portAddress()));
    }

    private static VerbsException refused(final int errno, final Executable what) {
        final VerbsException refusal = assertThrows(VerbsException.class, what);
        assertEquals(errno, refusal.errno(), refusal.getMessage());
        return refusal;
    }

    /** Asserts that the message has arrived, behind the header. */
    private void arrives(final Completion completion, final long id, final int length, final int seed) {
        assertEquals(id, completion.workRequestId());
        assertEquals(WorkOpcode.RECV, completion.opcode());
        assertEquals(right.queuePair.number(), completion.queuePair());
        assertEquals(left.queuePair.number(), completion.source());
        assertEquals(HEADER + length, completion.byteLength());
        assertTrue((completion.flags() & WorkFlags.GLOBAL_ROUTE) != 0, completion.toString());
        assertTrue(right.holds(TARGET + HEADER, length, seed));
        assertTrue(right.isZero(TARGET + HEADER + length, 64));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 100, 256})
    void shouldCarryADatagram(final int length) {
        left.fill(0, length, 4);
        assertEquals(Errno.OK, right.receive(21, TARGET, HEADER + length));

        assertEquals(Errno.OK, left.sendTo(22, WorkFlags.SIGNALED, 0, length, toRight, right));

        final Completion received = rig.awaitSuccess(right.receiveQueue);
        arrives(received, 21, length, 4);
        assertFalse(received.hasImmediate());
        final Completion sent = rig.awaitSuccess(left.sendQueue);
        assertEquals(22, sent.workRequestId());
        assertEquals(WorkOpcode.SEND, sent.opcode());
    }

    @Test
    void shouldCarryImmediateData() {
        left.fill(0, 16, 5);
        right.receive(1, TARGET, HEADER + 16);

        assertEquals(Errno.OK, left.queuePair.postSendToWithImmediate(2, WorkFlags.SIGNALED, left.address(0),
            left.region.localKey(), 16, toRight, right.queuePair.number(), Endpoint.QUEUE_KEY, 0x8000_0001));

        final Completion received = rig.awaitSuccess(right.receiveQueue);
        arrives(received, 1, 16, 5);
        assertTrue(received.hasImmediate());
        assertEquals(0x8000_0001, received.immediate());
        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldSendInline() {
        final int length = 32;
        rig.assumeInline(length);
        right.receive(1, TARGET, HEADER + length);
        left.fill(0, length, 8);

        assertEquals(Errno.OK, left.queuePair.postSendTo(2, WorkFlags.SIGNALED | WorkFlags.INLINE, left.address(0), 0,
            length, toRight, right.queuePair.number(), Endpoint.QUEUE_KEY));
        left.buffer.setMemory(0, length, (byte) 0);

        arrives(rig.awaitSuccess(right.receiveQueue), 1, length, 8);
        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldSendNothing() {
        right.receive(1, TARGET, HEADER);

        assertEquals(Errno.OK, left.sendTo(2, WorkFlags.SIGNALED, 0, 0, toRight, right));

        arrives(rig.awaitSuccess(right.receiveQueue), 1, 0, 0);
        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldCarryTheLongestDatagramAndRefuseALongerOne() {
        final int max = rig.first.attributes().maxDatagramLength();
        assertTrue(max >= 256 && max <= 4096, "max=" + max);
        left.fill(0, max, 6);
        right.receive(1, TARGET, HEADER + max);

        assertEquals(Errno.EINVAL, left.sendTo(2, WorkFlags.SIGNALED, 0, max + 1, toRight, right));
        assertEquals(Errno.EINVAL, left.sendTo(2, WorkFlags.SIGNALED, 0, -1, toRight, right));
        assertEquals(Errno.OK, left.sendTo(3, WorkFlags.SIGNALED, 0, max, toRight, right));

        arrives(rig.awaitSuccess(right.receiveQueue), 1, max, 6);
        assertEquals(3, rig.awaitSuccess(left.sendQueue).workRequestId());
    }

    @Test
    void shouldSendToWhomItLikesAndTellWhoHasSent() {
        final Endpoint third = rig.onSecond(new EndpointOptions().datagrams());
        third.openForDatagrams();
        final AddressHandle toLeft = rig.keep(rig.secondDomain.createAddressHandle(rig.first.portAddress()));
        left.receive(1, TARGET, HEADER + 8);
        left.receive(2, TARGET + 128, HEADER + 8);
        right.receive(3, TARGET, HEADER + 8);
        third.receive(4, TARGET, HEADER + 8);

        left.buffer.putLong(0, 71);
        left.sendTo(5, WorkFlags.SIGNALED, 0, 8, toRight, right);
        left.buffer.putLong(8, 72);
        left.sendTo(6, WorkFlags.SIGNALED, 8, 8, toRight, third);
        assertEquals(left.queuePair.number(), rig.awaitSuccess(right.receiveQueue).source());
        assertEquals(left.queuePair.number(), rig.awaitSuccess(third.receiveQueue).source());
        assertEquals(71, right.buffer.getLong(TARGET + HEADER));
        assertEquals(72, third.buffer.getLong(TARGET + HEADER));

        right.sendTo(7, WorkFlags.SIGNALED, 0, 8, toLeft, left);
        assertEquals(right.queuePair.number(), rig.awaitSuccess(left.receiveQueue).source());
        third.sendTo(8, WorkFlags.SIGNALED, 0, 8, toLeft, left);
        assertEquals(third.queuePair.number(), rig.awaitSuccess(left.receiveQueue).source());
        rig.await(left.sendQueue, 2);
    }

    @Test
    void shouldLoseWhatHasAnotherQueueKey() {
        right.receive(1, TARGET, HEADER + 8);
        left.buffer.putLong(0, 1);
        left.buffer.putLong(8, 2);

        assertEquals(Errno.OK, left.queuePair.postSendTo(2, WorkFlags.SIGNALED, left.address(0),
            left.region.localKey(), 8, toRight, right.queuePair.number(), Endpoint.QUEUE_KEY + 1));
        rig.awaitSuccess(left.sendQueue);
        assertEquals(Errno.OK, left.sendTo(3, WorkFlags.SIGNALED, 8, 8, toRight, right));

        rig.awaitSuccess(right.receiveQueue);
        assertEquals(2, right.buffer.getLong(TARGET + HEADER), "the one before was not for everybody");
        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldTakeReceivesFromASharedQueue() {
        assumeTrue(rig.second.attributes().maxSharedReceiveWorkRequests() > 0,
            "the device has no shared receive queues");
        final SharedReceiveQueue shared = rig.keep(rig.secondDomain.createSharedReceiveQueue(4));
        final Endpoint one = rig.onSecond(new EndpointOptions().datagrams().sharedQueue(shared));
        final Endpoint other = rig.onSecond(new EndpointOptions().datagrams().sharedQueue(shared));
        one.openForDatagrams();
        other.openForDatagrams();
        shared.postReceive(1, one.address(TARGET), one.region.localKey(), HEADER + 8);
        shared.postReceive(2, one.address(TARGET + 128), one.region.localKey(), HEADER + 8);

        left.sendTo(3, WorkFlags.SIGNALED, 0, 8, toRight, other);
        assertEquals(1, rig.awaitSuccess(other.receiveQueue).workRequestId());
        left.sendTo(4, WorkFlags.SIGNALED, 0, 8, toRight, one);
        assertEquals(2, rig.awaitSuccess(one.receiveQueue).workRequestId());
        rig.await(left.sendQueue, 2);
    }

    @Test
    void shouldWalkThroughTheStates() {
        final Endpoint fresh = rig.onFirst(new EndpointOptions().datagrams());
        assertEquals(QueuePairType.UNRELIABLE_DATAGRAM, fresh.queuePair.attributes().type());
        refused(Errno.EINVAL, fresh.queuePair::readyToReceiveDatagrams);
        refused(Errno.EINVAL, fresh.queuePair::readyToSend);
        assertEquals(Errno.EINVAL, fresh.receive(1, 0, 64));
        fresh.queuePair.initialiseDatagrams(7);
        assertEquals(QueuePairState.INIT, fresh.queuePair.state());
        assertEquals(Errno.OK, fresh.receive(1, 0, 64));
        refused(Errno.EINVAL, () -> fresh.queuePair.initialiseDatagrams(7));
        refused(Errno.EINVAL, fresh.queuePair::readyToSend);
        assertEquals(Errno.EINVAL, fresh.sendTo(1, WorkFlags.SIGNALED, 0, 8, toRight, right));
        fresh.queuePair.readyToReceiveDatagrams();
        assertEquals(QueuePairState.READY_TO_RECEIVE, fresh.queuePair.state());
        assertEquals(Errno.EINVAL, fresh.sendTo(1, WorkFlags.SIGNALED, 0, 8, toRight, right));
        fresh.queuePair.readyToSend();
        assertEquals(QueuePairState.READY_TO_SEND, fresh.queuePair.state());
        assertFalse(fresh.queuePair.isPeerReceiving());
        fresh.queuePair.fail();
        assertEquals(QueuePairState.ERROR, fresh.queuePair.state());
        assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(fresh.receiveQueue).status());
        final Endpoint other = rig.onFirst(new EndpointOptions().datagrams());
        other.queuePair.fail();
        assertEquals(QueuePairState.ERROR, other.queuePair.state());
    }

    @Test
    void shouldRefuseWhatConnectedQueuePairsHave() {
        refused(Errno.EINVAL, () -> left.queuePair.initialise(0));
        refused(Errno.EINVAL, () -> left.queuePair.readyToReceive(new byte[8]));
        refused(Errno.EINVAL, left.queuePair::localAddress);
        refused(Errno.EINVAL, () -> rig.first.connect(fixture.newAddress(), left.queuePair, new byte[0], 1));
        final int flags = WorkFlags.SIGNALED;
        final int key = left.region.localKey();
        assertEquals(Errno.EINVAL, left.send(1, flags, 0, 8));
        assertEquals(Errno.EINVAL, left.queuePair.postSendWithImmediate(1, flags, left.address(0), key, 8, 1));
        assertEquals(Errno.EINVAL, left.write(1, flags, 0, 8, right));
        assertEquals(Errno.EINVAL, left.writeImmediate(1, flags, 0, 8, right, 1));
        assertEquals(Errno.EINVAL, left.queuePair.postRead(1, flags, left.address(0), key, 8, right.address(0), 1));
        assertEquals(Errno.EINVAL, left.queuePair.postCompareAndSwap(
            1, flags, left.address(0), key, right.address(0), 1, 0, 0));
        assertEquals(Errno.EINVAL, left.queuePair.postFetchAdd(
            1, flags, left.address(0), key, right.address(0), 1, 0));
        assertEquals(Errno.ENOENT, left.sendQueue.startPoll());
    }

    @Test
    void shouldNotSendDatagramsByConnectedQueuePairs() {
        final Rig.Link link = rig.link();
        final Endpoint fresh = rig.onFirst(new EndpointOptions());

        refused(Errno.EINVAL, () -> fresh.queuePair.initialiseDatagrams(1));
        refused(Errno.EINVAL, fresh.queuePair::readyToReceiveDatagrams);
        assertEquals(Errno.EINVAL, link.left().sendTo(1, WorkFlags.SIGNALED, 0, 8, toRight, right));
    }

    @Test
    void shouldRefuseHandlesThatAreClosedOrOfAnotherDomain() {
        final AddressHandle closed = rig.firstDomain.createAddressHandle(rig.second.portAddress());
        closed.close();
        closed.close();
        try (ProtectionDomain domain = rig.first.allocateProtectionDomain();
            AddressHandle foreign = domain.createAddressHandle(rig.second.portAddress())) {
            assertEquals(Errno.EINVAL, left.sendTo(1, WorkFlags.SIGNALED, 0, 8, foreign, right));
        }
        assertEquals(Errno.EINVAL, left.sendTo(1, WorkFlags.SIGNALED, 0, 8, closed, right));
        assertEquals(Errno.EINVAL, left.sendTo(1, WorkFlags.SIGNALED, 0, 8, null, right));
        assertEquals(Errno.ENOENT, left.sendQueue.startPoll());
    }

    @Test
    void shouldNotCloseADomainWithLivingHandles() {
        final ProtectionDomain domain = rig.first.allocateProtectionDomain();
        final AddressHandle handle = domain.createAddressHandle(rig.second.portAddress());
        assertEquals(rig.second.portAddress(), handle.attributes());

        final VerbsException refusal = refused(Errno.EBUSY, domain::close);
        assertTrue(refusal.getMessage().contains("1 address handle"), refusal.getMessage());
        handle.close();
        domain.close();
        domain.close();
        handle.close();
        refused(Errno.EINVAL, () -> domain.createAddressHandle(rig.second.portAddress()));
    }

    @Test
    void shouldRefusePathsThatTheDeviceDoesNotHave() {
        final AddressHandleAttributes path = rig.second.portAddress();

        final VerbsException port = refused(Errno.EINVAL, () -> rig.firstDomain.createAddressHandle(path.withPort(9)));
        assertTrue(port.getMessage().contains("port=9 is not 1"), port.getMessage());
        if (path.isGlobal()) {
            refused(Errno.EINVAL, () -> rig.firstDomain.createAddressHandle(AddressHandleAttributes.toLid(1)));
        }
    }

    @Test
    void shouldCloseHandlesWhileOthersPostWithThem() throws InterruptedException {
        final Thread poller = rig.workers.start(() -> {
            final Backoff backoff = new Backoff();
            while (left.queuePair.state() == QueuePairState.READY_TO_SEND && rig.workers.mayGoOn()) {
                if (left.sendQueue.startPoll() == Errno.OK) {
                    left.sendQueue.endPoll();
                } else {
                    backoff.idle();
                }
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            final AddressHandle handle = rig.firstDomain.createAddressHandle(rig.second.portAddress());
            final CountDownLatch posting = new CountDownLatch(1);
            final Thread sender = rig.workers.start(() -> {
                int result = Errno.OK;
                for (int i = 0; result != Errno.EINVAL && rig.workers.mayGoOn(); i++) {
                    result = left.sendTo(i, WorkFlags.SIGNALED, 0, 8, handle, right);
                    if (i == 8) {
                        posting.countDown();
                    }
                }
            });
            rig.workers.await(posting);
            handle.close();
            rig.workers.join(sender);
        }
        left.queuePair.close();
        rig.workers.join(poller);
    }
}
