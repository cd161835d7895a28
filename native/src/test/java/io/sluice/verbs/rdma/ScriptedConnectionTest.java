package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.rdma_conn_param;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and listeners when calls of the connection manager or the device below fail or take long. */
class ScriptedConnectionTest extends ScriptedManagerTests {
    private static final byte[] NOTHING = {};
    private static final String PEER = "127.0.0.1:40123";
    private static final int EIO = 5;
    private static final int ECONNRESET = 104;
    private static final long PATIENCE_MS = 20_000;

    private Connection connect(final ReliableQueuePair queuePair) {
        return manager.device.connect(PEER, queuePair, NOTHING, Long.MAX_VALUE);
    }

    private Connection answered(final ReliableQueuePair queuePair) {
        final Connection connection = connect(queuePair);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), manager.ids.getLast());
        return connection;
    }

    private Connection established(final ReliableQueuePair queuePair) {
        final Connection connection = answered(queuePair);
        assertEquals(Connection.State.ESTABLISHED, connection.poll());
        assertEquals(QueuePairState.READY_TO_SEND, queuePair.state());
        return connection;
    }

    /** A request to the listener that was opened last. */
    private ConnectionRequest requestTo(final Listener listener) {
        manager.request(manager.ids.getLast());
        return listener.poll();
    }

    private VerbsException refusedListening(final String address, final int error) {
        manager.libraries.answer("rdma_bind_addr", error);
        return assertThrows(VerbsException.class, () -> manager.device.listen(address, 1));
    }

    @Test
    void shouldTellWhichAddressesCanBeListenedOn() {
        assertEquals("rdma_bind_addr: address=127.0.0.1:40123 is not that of an RDMA device: use one that"
            + " ./sluice devices lists (errno=19 ENODEV)", refusedListening(PEER, Remedies.ENODEV).getMessage());
    }

    @Test
    void shouldTellThatThereIsNoConnectionManager() {
        manager.libraries.answer("rdma_create_event_channel", 0);

        final VerbsException e = assertThrows(VerbsException.class, () -> manager.device.listen(PEER, 1));

        assertEquals(new VerbsException("rdma_create_event_channel", e.errno(), Remedies.ofManager(e.errno()))
            .getMessage(), e.getMessage());
    }

    @Test
    void shouldNameThisProcessOnlyWhereItListensItself() {
        final String own = "pid " + ProcessHandle.current().pid();
        final Listener first = manager.device.listen("127.0.0.1:40123", 1);
        final Listener second = manager.device.listen("127.0.0.2:40123", 1);

        assertTrue(refusedListening("127.0.0.1:40123", Errno.EADDRINUSE).getMessage().contains(own));
        assertTrue(refusedListening("127.0.0.3:40123", Errno.EADDRINUSE).getMessage().contains("another process"));
        first.close();
        assertTrue(refusedListening("127.0.0.1:40123", Errno.EADDRINUSE).getMessage().contains("another process"));
        assertTrue(refusedListening("127.0.0.2:40123", Errno.EADDRINUSE).getMessage().contains(own));
        second.close();
    }

    @Test
    void shouldNotWaitForAQueuePairThatIsBeingClosed() throws InterruptedException {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connection = established(queuePair);
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch mayGo = new CountDownLatch(1);
        manager.libraries.answer("ibv_destroy_qp", arguments -> {
            inside.countDown();
            await(mayGo);
            return 0;
        });
        final Thread closer = Thread.ofPlatform().start(queuePair::close);
        await(inside);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_DISCONNECTED(), manager.ids.getLast());

        final Thread poller = Thread.ofPlatform().start(connection::poll);
        poller.join(PATIENCE_MS);
        final boolean isStuck = poller.isAlive();
        mayGo.countDown();
        poller.join();
        closer.join();

        assertFalse(isStuck);
        assertEquals(Connection.State.DISCONNECTED, connection.poll());
    }

    private void assertFailed(final ReliableQueuePair queuePair) {
        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertEquals(rdma_constants.IBV_QPS_ERR(), manager.states.getLast());
    }

    @Test
    void shouldFailTheQueuePairWhenThePeerCannotBeToldThatItIsConnected() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        manager.libraries.answer("rdma_establish", ECONNRESET);

        final Connection connection = answered(queuePair);

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertTrue(connection.problem().contains("rdma_establish: "), connection.problem());
        assertFailed(queuePair);
        assertTrue(manager.libraries.calls.contains("rdma_destroy_id"));
    }

    @Test
    void shouldFailTheQueuePairThatCannotBeConnectedToTheEnd() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        manager.refuse(rdma_constants.IBV_QPS_RTS(), Errno.EINVAL);

        final Connection connection = answered(queuePair);

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertFailed(queuePair);
        assertFalse(manager.libraries.calls.contains("rdma_establish"));
    }

    @Test
    void shouldKeepTheQueuePairOfAConnectionThatNobodyAnswered() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connection = connect(queuePair);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_UNREACHABLE(), manager.ids.getLast());

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertEquals(QueuePairState.INIT, queuePair.state());
    }

    @Test
    void shouldFailTheQueuePairOfARequestThatCannotBeAccepted() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Listener listener = manager.device.listen(PEER, 1);
        final ConnectionRequest request = requestTo(listener);
        manager.libraries.answer("rdma_accept", ECONNRESET);

        assertThrows(VerbsException.class, () -> request.accept(queuePair, NOTHING));

        assertFailed(queuePair);
        assertTrue(manager.libraries.calls.contains("rdma_destroy_id"));
        listener.close();
    }

    @Test
    void shouldTellWhyARequestCannotBeAcceptedThoughItCannotBeDroppedEither() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Listener listener = manager.device.listen(PEER, 1);
        final ConnectionRequest request = requestTo(listener);
        manager.libraries.answer("rdma_accept", ECONNRESET);
        manager.libraries.answer("rdma_destroy_id", EIO);

        final VerbsException e = assertThrows(VerbsException.class, () -> request.accept(queuePair, NOTHING));

        assertEquals(ECONNRESET, e.errno());
        assertEquals(EIO, ((VerbsException) e.getSuppressed()[0]).errno());
        manager.libraries.answer("rdma_destroy_id", Errno.OK);
        listener.close();
    }

    /** The kernel tells nobody of it, and refuses what comes next. */
    @ParameterizedTest
    @ValueSource(strings = {"rdma_init_qp_attr", "rdma_accept"})
    void shouldTellThatThePeerOfARequestHasGivenUpWaiting(final String call) {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Listener listener = manager.device.listen(PEER, 1);
        final ConnectionRequest request = requestTo(listener);
        manager.libraries.answer(call, Errno.EINVAL);

        final VerbsException e = assertThrows(VerbsException.class, () -> request.accept(queuePair, NOTHING));

        assertEquals(Errno.ETIMEDOUT, e.errno());
        assertTrue(e.getMessage().startsWith(call + ": ") && e.getMessage().contains("22 EINVAL"), e.getMessage());
        assertFailed(queuePair);
        listener.close();
    }

    private ReliableQueuePair queuePair(
        final int maxReadAtomic, final int maxDestinationReadAtomic, final SharedReceiveQueue shared) {
        final ReliableQueuePair queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, 1, 1, 0, 6, 0, 5, 0)
                .withReadAtomic(maxReadAtomic, maxDestinationReadAtomic).withSharedReceiveQueue(shared));
        queuePair.initialise(0);
        return queuePair;
    }

    /** A copy of what a call is given. */
    private MemorySegment parametersOf(final String call) {
        final MemorySegment copy = rdma_conn_param.allocate(manager.libraries.arena);
        manager.libraries.answer(call, arguments -> {
            copy.copyFrom(((MemorySegment) arguments[1]).reinterpret(rdma_conn_param.sizeof()));
            return 0;
        });
        return copy;
    }

    private static void assertParameters(
        final MemorySegment parameters,
        final ReliableQueuePair queuePair,
        final int resources,
        final int depth,
        final boolean isShared) {
        assertEquals(resources, Byte.toUnsignedInt(rdma_conn_param.responder_resources(parameters)), "resources");
        assertEquals(depth, Byte.toUnsignedInt(rdma_conn_param.initiator_depth(parameters)), "depth");
        assertEquals(isShared ? 1 : 0, rdma_conn_param.srq(parameters), "srq");
        assertEquals(5, rdma_conn_param.retry_count(parameters));
        assertEquals(6, rdma_conn_param.rnr_retry_count(parameters));
        assertEquals(queuePair.number(), rdma_conn_param.qp_num(parameters));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellWhatItConnectsWith(final boolean isShared) {
        final SharedReceiveQueue shared = isShared ? manager.domain.createSharedReceiveQueue(1) : null;
        final ReliableQueuePair queuePair = queuePair(200, 3, shared);
        final MemorySegment parameters = parametersOf("rdma_connect");
        final Connection connection = connect(queuePair);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_ROUTE_RESOLVED(), manager.ids.getLast());

        assertEquals(Connection.State.CONNECTING, connection.poll());

        assertParameters(parameters, queuePair, 3, 200, isShared);
    }

    /** The reads that a server announces must not be more than its client answers: rdma_accept(3). */
    @ParameterizedTest
    @CsvSource({"200, 255, 200", "200, 200, 200", "200, 150, 150", "4, 0, 0", "0, 16, 0"})
    void shouldNotAcceptWithMoreReadsThanThePeerAnswers(final int own, final int told, final int expected) {
        final ReliableQueuePair queuePair = queuePair(own, 3, manager.domain.createSharedReceiveQueue(1));
        final MemorySegment parameters = parametersOf("rdma_accept");
        final Listener listener = manager.device.listen(PEER, 1);
        manager.request(manager.ids.getLast(), told);

        listener.poll().accept(queuePair, NOTHING).close();

        assertParameters(parameters, queuePair, 3, expected, true);
        listener.close();
    }

    @Test
    void shouldFailTheQueuePairOfAConnectionThatIsGivenUp() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connection = connect(queuePair);

        connection.disconnect();

        assertEquals(Connection.State.DISCONNECTED, connection.poll());
        assertFailed(queuePair);
    }

    @Test
    void shouldNotBlameAnotherConnectionForAnEndThatFails() {
        final Connection first = established(manager.newQueuePair());
        final MemorySegment firstId = manager.ids.getLast();
        final Connection second = established(manager.newQueuePair());
        final List<Long> disconnected = disconnected();
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_DISCONNECTED(), firstId);

        assertEquals(Connection.State.ESTABLISHED, second.poll());

        assertEquals(List.of(firstId.address()), disconnected);
        assertEquals(Connection.State.DISCONNECTED, first.poll());
        assertTrue(first.problem().contains("ibv_modify_qp: "), first.problem());
        assertEquals("", second.problem());
    }

    private List<Long> disconnected() {
        final List<Long> ids = new ArrayList<>();
        manager.libraries.answer("rdma_disconnect", arguments -> {
            ids.add(((MemorySegment) arguments[0]).address());
            return 0;
        });
        return ids;
    }

    @Test
    void shouldTellThePeerOfADisconnectAlthoughTheQueuePairStays() {
        final Connection connection = established(manager.newQueuePair());
        final List<Long> disconnected = disconnected();
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);

        assertEquals(EIO, assertThrows(VerbsException.class, connection::disconnect).errno());

        assertEquals(List.of(manager.ids.getLast().address()), disconnected);
        assertEquals(Connection.State.DISCONNECTED, connection.poll());
    }

    @Test
    void shouldReleaseAConnectionAlthoughItsQueuePairStays() {
        final Connection connection = established(manager.newQueuePair());
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);
        manager.libraries.calls.clear();

        assertEquals(EIO, assertThrows(VerbsException.class, connection::close).errno());

        assertEquals(1, Collections.frequency(manager.libraries.calls, "rdma_destroy_id"));
        connection.close();
        assertEquals(1, Collections.frequency(manager.libraries.calls, "rdma_destroy_id"));
    }

    @Test
    void shouldNotBlameAListenerForAnIdentifierThatStays() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connection = connect(queuePair);
        final MemorySegment id = manager.ids.getLast();
        final Listener listener = manager.device.listen(PEER, 1);
        manager.libraries.answer("rdma_destroy_id", EIO);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_UNREACHABLE(), id);

        assertNull(listener.poll());

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertTrue(connection.problem().contains("rdma_destroy_id: "), connection.problem());
        manager.libraries.answer("rdma_destroy_id", 0);
        listener.close();
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
