package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class QueuePairStateTest extends VerbsSuite {
    /** Code of ibv_modify_qp(3) for 4.3 s, of which seven are waited. */
    private static final int THIRTY_SECONDS = 20;

    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void createEndpoints() {
        left = rig.onFirst(new EndpointOptions());
        right = rig.onSecond(new EndpointOptions());
    }

    @Test
    void shouldWalkThroughTheStates() {
        assertEquals(QueuePairState.RESET, left.queuePair.state());
        left.initialise();
        right.initialise();
        assertEquals(QueuePairState.INIT, left.queuePair.state());
        left.queuePair.readyToReceive(right.queuePair.localAddress());
        assertEquals(QueuePairState.READY_TO_RECEIVE, left.queuePair.state());
        left.queuePair.readyToSend();
        assertEquals(QueuePairState.READY_TO_SEND, left.queuePair.state());
        left.queuePair.fail();
        assertEquals(QueuePairState.ERROR, left.queuePair.state());
        left.queuePair.fail();
        assertEquals(QueuePairState.ERROR, left.queuePair.state());
    }

    @Test
    void shouldRefuseIllegalTransitions() {
        right.initialise();
        final byte[] address = right.queuePair.localAddress();

        refused(() -> left.queuePair.readyToReceive(address));
        refused(() -> left.queuePair.readyToSend());
        left.initialise();
        refused(left::initialise);
        refused(() -> left.queuePair.readyToSend());
        left.queuePair.readyToReceive(address);
        refused(left::initialise);
        refused(() -> left.queuePair.readyToReceive(address));
        left.queuePair.readyToSend();
        refused(left::initialise);
        refused(() -> left.queuePair.readyToReceive(address));
        refused(() -> left.queuePair.readyToSend());
        left.queuePair.fail();
        refused(left::initialise);
        refused(() -> left.queuePair.readyToReceive(address));
        refused(() -> left.queuePair.readyToSend());
    }

    private static void refused(final Executable transition) {
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, transition).errno());
    }

    @Test
    void shouldFailFromEveryState() {
        left.queuePair.fail();
        assertEquals(QueuePairState.ERROR, left.queuePair.state());
        right.initialise();
        right.queuePair.fail();
        assertEquals(QueuePairState.ERROR, right.queuePair.state());
    }

    @Test
    void shouldPostReceivesFromInitOn() {
        assertEquals(Errno.EINVAL, left.queuePair.postReceives(1, 1));
        assertEquals(Errno.EINVAL, left.receive(1, 0, 8));
        left.initialise();
        assertEquals(Errno.OK, left.queuePair.postReceives(1, 1));
        assertEquals(Errno.OK, left.receive(1, 0, 8));
    }

    @Test
    void shouldPostSendsWhenReadyToSendOnly() {
        assertEquals(Errno.EINVAL, left.send(1, WorkFlags.SIGNALED, 0, 8));
        left.initialise();
        right.initialise();
        assertEquals(Errno.EINVAL, left.send(1, WorkFlags.SIGNALED, 0, 8));
        left.queuePair.readyToReceive(right.queuePair.localAddress());
        assertEquals(Errno.EINVAL, left.send(1, WorkFlags.SIGNALED, 0, 8));
        left.queuePair.readyToSend();
        right.connectTo(left.queuePair.localAddress());
        right.receive(2, 0, 8);
        assertEquals(Errno.OK, left.send(1, WorkFlags.SIGNALED, 0, 8));
        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldReceiveWhenNotYetReadyToSend() {
        left.initialise();
        right.initialise();
        right.receive(2, 0, 8);
        right.queuePair.readyToReceive(left.queuePair.localAddress());
        left.connectTo(right.queuePair.localAddress());

        assertEquals(Errno.OK, left.send(1, WorkFlags.SIGNALED, 0, 8));

        assertEquals(2, rig.awaitSuccess(right.receiveQueue).workRequestId());
        rig.awaitSuccess(left.sendQueue);
    }

    @Test
    void shouldWaitForAPeerThatIsNotYetReadyToReceive() {
        left = rig.onFirst(new EndpointOptions().ackTimeoutCode(THIRTY_SECONDS));
        left.initialise();
        right.initialise();
        right.receive(2, 0, 8);
        left.connectTo(right.queuePair.localAddress());

        assertEquals(Errno.OK, left.send(1, WorkFlags.SIGNALED, 0, 8));
        right.connectTo(left.queuePair.localAddress());

        rig.awaitSuccess(left.sendQueue);
        rig.awaitSuccess(right.receiveQueue);
    }

    @Test
    void shouldGiveUpAPeerThatNeverBecomesReady() {
        left.initialise();
        right.initialise();
        left.connectTo(right.queuePair.localAddress());

        assertEquals(Errno.OK, left.send(1, WorkFlags.NONE, 0, 8));

        assertEquals(WorkStatus.RETRY_EXC_ERR, rig.await(left.sendQueue).status());
        rig.awaitState(left.queuePair, QueuePairState.ERROR);
    }

    @Test
    void shouldHaveDistinctNumbersOf24Bits() {
        final Endpoint other = rig.onFirst(new EndpointOptions());

        assertNotEquals(left.queuePair.number(), other.queuePair.number());
        assertTrue(left.queuePair.number() > 0 && left.queuePair.number() < 1 << 24);
    }

    @Test
    void shouldGrantAtLeastWhatWasAsked() {
        final QueuePairAttributes granted = left.queuePair.attributes();

        assertTrue(granted.maxSendWork() >= 16);
        assertTrue(granted.maxReceiveWork() >= 16);
        assertTrue(granted.maxInlineData()
            >= Math.min(EndpointOptions.INLINE, rig.first.attributes().maxInlineData()));
    }

    @Test
    void shouldRefuseSizesOutOfRange() {
        final DeviceAttributes limits = rig.first.attributes();
        refused(() -> rig.onFirst(new EndpointOptions().queues(left.sendQueue, left.receiveQueue)
            .sendWork(limits.maxQueuePairWorkRequests() + 1)));
        refused(() -> rig.onFirst(new EndpointOptions().queues(left.sendQueue, left.receiveQueue)
            .receiveWork(limits.maxQueuePairWorkRequests() + 1)));
        refused(() -> rig.onFirst(new EndpointOptions().queues(left.sendQueue, left.receiveQueue)
            .inlineData(limits.maxInlineData() + 1)));
        refused(() -> rig.onFirst(new EndpointOptions().queues(left.sendQueue, left.receiveQueue).sendWork(-1)));
    }

    /** To the device they are bytes: 256 would be 0. */
    @Test
    void shouldRefuseCountsAndTimersOutOfRange() {
        final int[] beyondCounts = {-1, 8, 256};
        final int[] beyondCodes = {-1, 32, 256};
        refusesByName("rnrRetryCount", beyondCounts, EndpointOptions::rnrRetryCount);
        refusesByName("retryCount", beyondCounts, EndpointOptions::retryCount);
        refusesByName("minRnrTimerCode", beyondCodes, EndpointOptions::minRnrTimerCode);
        refusesByName("ackTimeoutCode", beyondCodes, EndpointOptions::ackTimeoutCode);
        final QueuePairAttributes granted = rig.onFirst(new EndpointOptions().queues(left.sendQueue, left.receiveQueue)
            .rnrRetryCount(7).retryCount(7).minRnrTimerCode(31).ackTimeoutCode(31)).queuePair.attributes();
        assertEquals(7, granted.rnrRetryCount());
        assertEquals(7, granted.retryCount());
        assertEquals(31, granted.minRnrTimerCode());
        assertEquals(31, granted.ackTimeoutCode());
    }

    private void refusesByName(
        final String name, final int[] values, final BiFunction<EndpointOptions, Integer, EndpointOptions> with) {
        for (final int value : values) {
            final EndpointOptions options =
                with.apply(new EndpointOptions().queues(left.sendQueue, left.receiveQueue), value);
            final VerbsException refusal = assertThrows(VerbsException.class, () -> rig.onFirst(options));
            assertEquals(Errno.EINVAL, refusal.errno());
            assertTrue(refusal.getMessage().contains(name + "=" + value + " "), refusal.getMessage());
        }
    }

    @Test
    void shouldHaveDatagramsOrRefuseThemByName() {
        final EndpointOptions options =
            new EndpointOptions().queues(left.sendQueue, left.receiveQueue).datagrams();
        if (rig.first.attributes().maxDatagramLength() > 0) {
            assertEquals(QueuePairType.UNRELIABLE_DATAGRAM, rig.onFirst(options).queuePair.attributes().type());
            return;
        }
        for (final Executable asking : new Executable[] {
            () -> rig.onFirst(options), rig.first::portAddress,
            () -> rig.firstDomain.createAddressHandle(AddressHandleAttributes.toLid(1))}) {
            final VerbsException refusal = assertThrows(VerbsException.class, asking);
            assertEquals(Errno.EOPNOTSUPP, refusal.errno());
        }
        final String message = assertThrows(VerbsException.class, () -> rig.onFirst(options)).getMessage();
        assertTrue(message.contains("type=UNRELIABLE_DATAGRAM"), message);
    }

    @Test
    void shouldRefuseEveryDamagedAddress() {
        left.initialise();
        right.initialise();
        final byte[] address = right.queuePair.localAddress();

        for (int length = 0; length < address.length; length++) {
            final byte[] cut = java.util.Arrays.copyOf(address, length);
            refused(() -> left.queuePair.readyToReceive(cut));
        }
        refused(() -> left.queuePair.readyToReceive(new byte[256]));
        refused(() -> left.queuePair.readyToReceive(new byte[257]));
        left.queuePair.readyToReceive(address);
    }

    @Test
    void shouldRefusePostsAfterClose() {
        Endpoint.connect(left, right);
        left.queuePair.close();
        left.queuePair.close();

        assertEquals(Errno.EINVAL, left.send(1, WorkFlags.SIGNALED, 0, 8));
        assertEquals(Errno.EINVAL, left.write(1, WorkFlags.SIGNALED, 0, 8, right));
        assertEquals(Errno.EINVAL, left.writeImmediate(1, WorkFlags.SIGNALED, 0, 8, right, 1));
        assertEquals(Errno.EINVAL, left.receive(1, 0, 8));
        assertEquals(Errno.EINVAL, left.queuePair.postReceives(1, 1));
    }

    @Test
    void shouldCloseInEveryState() {
        left.queuePair.close();
        right.initialise();
        right.queuePair.close();
        final Endpoint failed = rig.onFirst(new EndpointOptions());
        failed.queuePair.fail();
        failed.queuePair.close();
    }
}
