package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.foreign.SystemCalls;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits for events of connections, and for requests at an endpoint. */
class RpmaEventTest {
    private static final long FOREVER_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long SHORT_NS = 2_000_000;
    private static final int ENOMEM = 12;

    private ScriptedRpma rpma;
    private RpmaConnection connection;
    private RpmaEndpoint endpoint;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
        connection = rpma.connect();
        endpoint = rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT);
        rpma.calls.clear();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private RpmaConnectionRequest nextRequest(final long timeoutNs) {
        return endpoint.nextConnectionRequest(RpmaConnectionConfiguration.DEFAULT, timeoutNs);
    }

    /** Readable, and librdmacm says EAGAIN all the same: it has dealt with what came by itself. */
    private void deliverNothing() {
        SystemCalls.signal(rpma.eventDescriptor);
        SystemCalls.signal(rpma.requestDescriptor);
    }

    @ParameterizedTest
    @EnumSource(RpmaConnectionEvent.class)
    void shouldTellWhatHappened(final RpmaConnectionEvent event) {
        rpma.deliver(event.ordinal());

        assertEquals(event, connection.nextEvent(FOREVER_NS));
        assertNull(connection.nextEvent(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {SHORT_NS, 1, 0, -1, Long.MIN_VALUE})
    void shouldComeBackWithoutAnEventInTime(final long timeoutNs) {
        assertNull(connection.nextEvent(timeoutNs));
        assertNull(nextRequest(timeoutNs));
    }

    /** The library logs an error whenever it is asked in vain, which nobody wants to read. */
    @Test
    void shouldNotAskTheLibraryBeforeThereIsSomething() {
        assertNull(connection.nextEvent(SHORT_NS));
        assertNull(nextRequest(SHORT_NS));

        assertFalse(rpma.calls.contains("rpma_conn_next_event"));
        assertFalse(rpma.calls.contains("rpma_ep_next_conn_req"));
    }

    @Test
    void shouldTakeAnErrorThatSaysTryAgainForNoEvent() {
        deliverNothing();

        assertNull(connection.nextEvent(SHORT_NS));
        assertNull(nextRequest(SHORT_NS));
        assertEquals(1, rpma.count("rpma_conn_next_event"));
        assertEquals(1, rpma.count("rpma_ep_next_conn_req"));
    }

    @Test
    void shouldGoOnWaitingAfterAnErrorThatSaysTryAgain() throws Exception {
        deliverNothing();
        try (Waiting<RpmaConnectionEvent> waiting = new Waiting<>(() -> connection.nextEvent(FOREVER_NS))) {
            rpma.awaitCall("rpma_conn_next_event");
            rpma.deliver(RpmaConnectionEvent.CLOSED.ordinal());
            assertEquals(RpmaConnectionEvent.CLOSED, waiting.result());
        }
        try (Waiting<RpmaConnectionRequest> waiting = new Waiting<>(() -> nextRequest(FOREVER_NS))) {
            rpma.awaitCall("rpma_ep_next_conn_req");
            rpma.deliverRequest(RpmaError.OK);
            waiting.result().close();
        }
    }

    @Test
    void shouldTakeTheAnswerOfTheLibraryThatThereIsNoEvent() {
        rpma.deliver(RpmaError.E_NO_EVENT);
        rpma.deliverRequest(RpmaError.E_NO_EVENT);

        assertNull(connection.nextEvent(SHORT_NS));
        assertNull(nextRequest(SHORT_NS));
    }

    @Test
    void shouldTellWhyNoEventCanBeHad() {
        rpma.fail("rpma_conn_next_event", RpmaError.E_PROVIDER,
            "rdma_get_cm_event() failed: " + LogCall.errorText(ENOMEM));
        rpma.deliver(0);

        final RpmaException e = assertThrows(RpmaException.class, () -> connection.nextEvent(FOREVER_NS));
        assertEquals(RpmaError.E_PROVIDER, e.code());
        assertEquals(ENOMEM, e.errno());
        assertTrue(e.getMessage().startsWith("rpma_conn_next_event: no event can be had: rdma_get_cm_event() failed: "
            + LogCall.errorText(ENOMEM)), e.getMessage());
    }

    @Test
    void shouldTellThatAnEventIsUnknown() {
        rpma.deliver(RpmaError.E_UNKNOWN);

        assertEquals(RpmaError.E_UNKNOWN,
            assertThrows(RpmaException.class, () -> connection.nextEvent(FOREVER_NS)).code());
    }

    @Test
    void shouldTellWhyARequestIsRefused() {
        rpma.fail("rpma_ep_next_conn_req", RpmaError.E_INVAL, "Unexpected event received: RDMA_CM_EVENT_DISCONNECTED");
        SystemCalls.signal(rpma.requestDescriptor);

        final RpmaException e = assertThrows(RpmaException.class, () -> nextRequest(FOREVER_NS));
        assertEquals(RpmaError.E_INVAL, e.code());
        assertTrue(e.getMessage().contains("no request of a connection can be had: Unexpected event received"),
            e.getMessage());
    }

    @Test
    void shouldAcceptARequest() {
        rpma.answer("rpma_conn_req_get_private_data", call -> {
            ScriptedRpma.writePrivateData(call[1], rpma.arena.allocateFrom("hello"), 5);
            return 0;
        });
        rpma.deliverRequest(RpmaError.OK);

        try (RpmaConnectionRequest request = nextRequest(FOREVER_NS)) {
            assertArrayEquals("hello".getBytes(), request.privateData());
            request.connect().close();
        }
        assertEquals(0, rpma.count("rpma_conn_req_delete"), "it has become a connection");
    }

    @Test
    void shouldPrepareARequestAsItIsConfigured() {
        rpma.deliverRequest(RpmaError.OK);

        try (RpmaConnectionRequest request = endpoint.nextConnectionRequest(
            RpmaConnectionConfiguration.DEFAULT.withSendQueueSize(31), FOREVER_NS)) {
            assertNotNull(request);
        }
        assertEquals(31L, rpma.settings.get("rpma_conn_cfg_set_sq_size"));
        assertEquals(1, rpma.count("rpma_conn_req_delete"));
        assertEquals(rpma.count("rpma_conn_cfg_new"), rpma.count("rpma_conn_cfg_delete"));
    }

    @Test
    void shouldBeWokenByAnotherThread() throws Exception {
        deliverNothing();
        try (Waiting<RpmaConnectionEvent> waiting = new Waiting<>(() -> connection.nextEvent(FOREVER_NS))) {
            rpma.awaitCall("rpma_conn_next_event");
            connection.wake();
            assertNull(waiting.result());
        }
        try (Waiting<RpmaConnectionRequest> waiting = new Waiting<>(() -> nextRequest(FOREVER_NS))) {
            rpma.awaitCall("rpma_ep_next_conn_req");
            endpoint.wake();
            assertNull(waiting.result());
        }
    }

    @Test
    void shouldEndAWaitWhoseThreadIsInterrupted() throws Exception {
        deliverNothing();
        try (Waiting<RpmaConnectionEvent> waiting = new Waiting<>(() -> connection.nextEvent(FOREVER_NS))) {
            rpma.awaitCall("rpma_conn_next_event");
            waiting.interrupt();
            assertNull(waiting.result());
        }
        try (Waiting<RpmaConnectionRequest> waiting = new Waiting<>(() -> nextRequest(FOREVER_NS))) {
            rpma.awaitCall("rpma_ep_next_conn_req");
            waiting.interrupt();
            assertNull(waiting.result());
        }
    }

    @Test
    void shouldSendAWaitingThreadAwayBeforeTheObjectGoes() throws Exception {
        deliverNothing();
        try (Waiting<RpmaConnectionEvent> waiting = new Waiting<>(() -> connection.nextEvent(FOREVER_NS))) {
            rpma.awaitCall("rpma_conn_next_event");
            connection.close();
            assertClosed("the connection is closed", waiting.failure());
        }
        try (Waiting<RpmaConnectionRequest> waiting = new Waiting<>(() -> nextRequest(FOREVER_NS))) {
            rpma.awaitCall("rpma_ep_next_conn_req");
            endpoint.close();
            assertClosed("the endpoint is closed", waiting.failure());
        }
        assertEquals(List.of(), rpma.usesOfDeleted);
        assertEquals(1, rpma.count("rpma_conn_delete"));
        assertEquals(1, rpma.count("rpma_ep_shutdown"));
    }

    private static void assertClosed(final String detail, final Throwable failure) {
        final RpmaException e = (RpmaException) failure;
        assertEquals(RpmaError.E_INVAL, e.code());
        assertTrue(e.getMessage().contains(detail), e.getMessage());
    }

    @Test
    void shouldAskNothingOfWhatIsClosed() {
        connection.close();
        endpoint.close();
        rpma.deliver(0);
        rpma.deliverRequest(0);
        rpma.calls.clear();

        assertClosed("closed", assertThrows(RpmaException.class, () -> connection.nextEvent(0)));
        assertClosed("closed", assertThrows(RpmaException.class, () -> nextRequest(0)));
        assertClosed("closed", assertThrows(RpmaException.class, connection::privateData));
        assertClosed("closed", assertThrows(RpmaException.class, connection::queuePairNumber));
        assertClosed("closed", assertThrows(RpmaException.class, connection::disconnect));
        assertClosed("closed", assertThrows(RpmaException.class,
            () -> connection.applyRemotePeerConfiguration(new RpmaPeerConfiguration(true))));
        connection.wake();
        endpoint.wake();
        assertTrue(rpma.calls.stream().allMatch(call -> call.startsWith("rpma_conn_cfg_")), rpma.calls::toString);
    }

    /** A wait in vain holds nothing: all that it used can be closed. */
    @Test
    void shouldHoldNothingAfterAWaitInVain() {
        assertNull(nextRequest(0));
        connection.close();
        endpoint.close();

        rpma.peer.close();
        assertEquals(1, rpma.count("rpma_peer_delete"));
        assertEquals(rpma.count("rpma_conn_cfg_new"), rpma.count("rpma_conn_cfg_delete"));
    }

    @Test
    void shouldHandOutDescriptorsForOtherWaits() {
        assertEquals(rpma.eventDescriptor, connection.eventDescriptor());
        assertEquals(rpma.requestDescriptor, endpoint.eventDescriptor());
    }
}
