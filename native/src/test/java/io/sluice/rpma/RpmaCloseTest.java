package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which objects go, and that nothing goes under a thread that uses it. */
class RpmaCloseTest {
    private static final int EIO = 5;
    private static final long REGION_LENGTH = 4096;
    private static final byte[] DESCRIPTOR = new byte[21];

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final CountDownLatch inCall = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private ScriptedRpma rpma;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private RpmaSharedReceiveQueue newQueue() {
        return rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT);
    }

    private RpmaConnectionRequest newRequest(final RpmaConnectionConfiguration configuration) {
        return rpma.peer.requestConnection(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT, configuration);
    }

    /** Everything that is made of a peer, by the function that deletes it. */
    private Map<String, Supplier<AutoCloseable>> makers() {
        return Map.of(
            "rpma_mr_dereg", () -> rpma.peer.register(REGION_LENGTH, RpmaUsage.SEND),
            "rpma_mr_remote_delete", () -> rpma.peer.remoteRegion(DESCRIPTOR),
            "rpma_srq_delete", this::newQueue,
            "rpma_ep_shutdown", () -> rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT),
            "rpma_conn_req_delete", () -> newRequest(RpmaConnectionConfiguration.DEFAULT),
            "rpma_conn_delete", () -> rpma.connect());
    }

    private static void assertBusy(final RpmaException e) {
        assertEquals(RpmaError.E_PROVIDER, e.code());
        assertEquals(Errno.EBUSY, e.errno());
        assertTrue(e.getMessage().contains("close them first"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpma_mr_dereg", "rpma_mr_remote_delete", "rpma_srq_delete", "rpma_ep_shutdown",
        "rpma_conn_req_delete", "rpma_conn_delete"})
    void shouldOutliveWhatWasMadeOfIt(final String deletion) throws Exception {
        final AutoCloseable object = makers().get(deletion).get();
        assertBusy(assertThrows(RpmaException.class, rpma.peer::close));
        assertFalse(rpma.calls.contains("rpma_peer_delete"));

        object.close();
        rpma.peer.close();
        assertEquals(List.of(deletion, "rpma_peer_delete"),
            rpma.calls.stream().filter(List.of(deletion, "rpma_peer_delete")::contains).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpma_mr_dereg", "rpma_mr_remote_delete", "rpma_srq_delete", "rpma_ep_shutdown",
        "rpma_conn_req_delete", "rpma_conn_delete"})
    void shouldCloseOnce(final String deletion) throws Exception {
        final AutoCloseable object = makers().get(deletion).get();
        object.close();
        object.close();
        rpma.peer.close();
        rpma.peer.close();

        assertEquals(1, rpma.count(deletion));
        assertEquals(1, rpma.count("rpma_peer_delete"));
        assertEquals(List.of(), rpma.usesOfDeleted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpma_mr_dereg", "rpma_mr_remote_delete", "rpma_srq_delete", "rpma_ep_shutdown",
        "rpma_conn_req_delete", "rpma_conn_delete"})
    void shouldTellThatADeletionFailsAndLetGoAllTheSame(final String deletion) throws Exception {
        final AutoCloseable object = makers().get(deletion).get();
        rpma.fail(deletion, RpmaError.E_PROVIDER, "ibv_destroy() failed: " + LogCall.errorText(EIO));

        final RpmaException e = assertThrows(RpmaException.class, object::close);
        assertEquals(RpmaError.E_PROVIDER, e.code());
        assertEquals(EIO, e.errno());
        assertTrue(e.getMessage().startsWith(deletion + ": "), e.getMessage());
        object.close();
        rpma.peer.close();
        assertEquals(1, rpma.count(deletion));
    }

    @Test
    void shouldTellThatThePeersDeletionFails() {
        rpma.fail("rpma_peer_delete", RpmaError.E_PROVIDER, "ibv_dealloc_pd() failed: " + LogCall.errorText(EIO));

        assertEquals(EIO, assertThrows(RpmaException.class, rpma.peer::close).errno());
        rpma.peer.close();
        assertEquals(1, rpma.count("rpma_peer_delete"));
    }

    @Test
    void shouldMakeNothingOfAClosedPeer() {
        rpma.peer.close();
        rpma.calls.clear();

        for (final Supplier<AutoCloseable> maker : makers().values()) {
            final RpmaException e = assertThrows(RpmaException.class, maker::get);
            assertEquals(RpmaError.E_INVAL, e.code());
            assertTrue(e.getMessage().contains("the peer is closed"), e.getMessage());
        }
        assertEquals(RpmaError.E_INVAL,
            assertThrows(RpmaException.class, rpma.peer::isOnDemandPagingCapable).code());
        assertEquals(List.of(), rpma.calls);
    }

    @Test
    void shouldKeepASharedQueueWhileAConnectionDrawsOnIt() {
        final RpmaSharedReceiveQueue queue = newQueue();
        final RpmaConnectionConfiguration drawing =
            RpmaConnectionConfiguration.DEFAULT.withSharedReceiveQueue(queue);
        final RpmaConnectionRequest request = newRequest(drawing);
        final RpmaConnection connection = rpma.connect(drawing);

        assertBusy(assertThrows(RpmaException.class, queue::close));
        connection.close();
        assertBusy(assertThrows(RpmaException.class, queue::close));
        assertEquals(RpmaError.OK, queue.receive(null, 0, 0, 1), "nothing has changed");
        final RpmaConnection accepted = request.connect();
        request.close();
        assertBusy(assertThrows(RpmaException.class, queue::close));
        accepted.close();
        queue.close();
        assertEquals(1, rpma.count("rpma_srq_delete"));
        rpma.peer.close();
    }

    @Test
    void shouldNotDrawOnASharedQueueThatIsClosedOrAnotherPeers() {
        final RpmaSharedReceiveQueue closed = newQueue();
        closed.close();
        final RpmaSharedReceiveQueue foreign =
            rpma.newPeer().newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT);

        for (final RpmaSharedReceiveQueue queue : List.of(closed, foreign)) {
            final RpmaException e = assertThrows(RpmaException.class,
                () -> newRequest(RpmaConnectionConfiguration.DEFAULT.withSharedReceiveQueue(queue)));
            assertEquals(RpmaError.E_INVAL, e.code());
            assertTrue(e.getMessage().contains("the shared receive queue is "), e.getMessage());
        }
        assertFalse(rpma.calls.contains("rpma_conn_req_new"));
        rpma.peer.close();
        foreign.close();
    }

    @Test
    void shouldEndARequestByConnectingIt() {
        final RpmaConnectionRequest request = newRequest(RpmaConnectionConfiguration.DEFAULT);
        final RpmaConnection connection = request.connect();

        final RpmaException e = assertThrows(RpmaException.class, request::connect);
        assertEquals(RpmaError.E_INVAL, e.code());
        assertTrue(e.getMessage().contains("the request has ended"), e.getMessage());
        assertEquals(RpmaError.E_INVAL, request.receive(null, 0, 0, 1));
        request.close();
        connection.close();
        assertEquals(0, rpma.count("rpma_conn_req_delete"));
        assertEquals(1, rpma.count("rpma_conn_req_connect"));
        rpma.peer.close();
    }

    @Test
    void shouldEndARequestThatCannotBeConnected() {
        rpma.fail("rpma_conn_req_connect", RpmaError.E_PROVIDER, "rdma_connect() failed: " + LogCall.errorText(EIO));
        final RpmaConnectionRequest request = newRequest(RpmaConnectionConfiguration.DEFAULT);

        assertEquals(EIO, assertThrows(RpmaException.class, request::connect).errno());
        request.close();
        rpma.peer.close();
        assertEquals(0, rpma.count("rpma_conn_req_delete"));
    }

    /** Stays in a scripted call: the other thread begins now, and this one returns when that waits. */
    private long stay() {
        inCall.countDown();
        try {
            if (!mayReturn.await(Waiting.PATIENCE_S, TimeUnit.SECONDS)) {
                steps.add("given up");
            }
        } catch (final InterruptedException e) {
            steps.add("interrupted");
        }
        steps.add("returned");
        return RpmaError.OK;
    }

    /** A thread stays in a call while another one closes what it uses. */
    private void assertOutlived(
        final String call, final Runnable use, final String deletion, final Runnable close) throws Exception {
        rpma.answer(call, arguments -> stay());
        final ScriptedRpma.Answer deletes = rpma.answer(deletion);
        rpma.answer(deletion, arguments -> {
            steps.add("deleted");
            return deletes.call(arguments);
        });
        final Thread user = new Thread(use);
        user.start();
        inCall.await();
        final Thread closer = new Thread(close);
        closer.start();
        while (closer.getState() == Thread.State.RUNNABLE || closer.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        mayReturn.countDown();
        user.join();
        closer.join();
        assertEquals(List.of("returned", "deleted"), steps);
        assertEquals(List.of(), rpma.usesOfDeleted);
    }

    @Test
    void shouldNotDeleteAConnectionThatSends() throws Exception {
        final RpmaConnection connection = rpma.connect();
        assertOutlived("rpma_send", () -> connection.send(null, 0, 0, RpmaCompletionFlags.ALWAYS, 1),
            "rpma_conn_delete", connection::close);
    }

    @Test
    void shouldNotDeleteAConnectionThatReceives() throws Exception {
        final RpmaConnection connection = rpma.connect();
        assertOutlived("rpma_recv", () -> connection.receive(null, 0, 0, 1), "rpma_conn_delete", connection::close);
    }

    @Test
    void shouldNotDeleteAConnectionWhoseQueueIsPolled() throws Exception {
        final RpmaConnection connection = rpma.connect();
        assertOutlived("rpma_cq_get_wc", () -> connection.completionQueue().startPoll(),
            "rpma_conn_delete", connection::close);
    }

    @Test
    void shouldNotDeleteASharedQueueThatIsPostedTo() throws Exception {
        final RpmaSharedReceiveQueue queue = newQueue();
        assertOutlived("rpma_srq_recv", () -> queue.receive(null, 0, 0, 1), "rpma_srq_delete", queue::close);
    }

    @Test
    void shouldNotDeleteASharedQueueWhoseCompletionsArePolled() throws Exception {
        final RpmaSharedReceiveQueue queue = newQueue();
        assertOutlived("rpma_cq_get_wc", () -> queue.receiveCompletionQueue().startPoll(),
            "rpma_srq_delete", queue::close);
    }

    @Test
    void shouldNotDeregisterMemoryThatIsPosted() throws Exception {
        final RpmaConnection connection = rpma.connect();
        final RpmaMemoryRegion region = rpma.peer.register(REGION_LENGTH, RpmaUsage.SEND);
        assertOutlived("rpma_send", () -> connection.send(region, 0, 1, RpmaCompletionFlags.ALWAYS, 1),
            "rpma_mr_dereg", region::close);
    }

    @Test
    void shouldNotForgetRemoteMemoryThatIsPosted() throws Exception {
        final RpmaConnection connection = rpma.connect();
        final RpmaRemoteRegion remote = rpma.peer.remoteRegion(DESCRIPTOR);
        assertOutlived("rpma_atomic_write", () -> connection.atomicWrite(remote, 0, 1, RpmaCompletionFlags.ALWAYS, 1),
            "rpma_mr_remote_delete", remote::close);
    }

    @Test
    void shouldNotDeregisterMemoryThatARequestReceivesTo() throws Exception {
        final RpmaConnectionRequest request = newRequest(RpmaConnectionConfiguration.DEFAULT);
        final RpmaMemoryRegion region = rpma.peer.register(REGION_LENGTH, RpmaUsage.RECEIVE);
        assertOutlived("rpma_conn_req_recv", () -> request.receive(region, 0, 1, 1), "rpma_mr_dereg", region::close);
    }

    /** A thread that asks for the descriptor is not the one that polls. */
    @Test
    void shouldNotForgetAPollerForWhoeverAsksForTheDescriptor() throws Exception {
        final RpmaConnection connection = rpma.connect();
        final RpmaCompletionQueue queue = connection.completionQueue();
        assertOutlived("rpma_cq_get_wc", queue::startPoll, "rpma_conn_delete", () -> {
            assertEquals(rpma.queue(queue).descriptor, queue.descriptor());
            connection.close();
        });
    }

    @Test
    void shouldCloseAgainWhatAThreadStayedIn() {
        final RpmaConnection connection = rpma.connect();
        connection.sendGuard.enter();
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, connection::close).errno());
        assertFalse(rpma.calls.contains("rpma_conn_delete"));
        assertEquals(RpmaError.E_INVAL, connection.receive(null, 0, 0, 1));

        connection.sendGuard.leave();
        connection.close();
        assertEquals(1, rpma.count("rpma_conn_delete"));
        rpma.peer.close();
    }
}
