package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionTest extends VerbsSuite {
    private static final long TIMEOUT_NS = 20_000_000_000L;
    private static final byte[] NOTHING = {};

    private String address;
    private Endpoint client;
    private Endpoint server;

    @BeforeEach
    void createEndpoints() {
        address = fixture.newAddress();
        client = rig.onFirst(new EndpointOptions());
        server = rig.onSecond(new EndpointOptions());
        client.initialise();
        server.initialise();
    }

    private Listener listen() {
        return rig.keep(rig.second.listen(address, 8));
    }

    private Connection connect(final byte[] privateData) {
        return rig.keep(rig.first.connect(address, client.queuePair, privateData, TIMEOUT_NS));
    }

    private ConnectionRequest awaitRequest(final Listener listener) {
        final ConnectionRequest[] found = new ConnectionRequest[1];
        rig.until("a request", () -> {
            found[0] = listener.poll();
            return found[0] != null;
        });
        return found[0];
    }

    private void awaitState(final Connection connection, final Connection.State state) {
        rig.until("state " + state, () -> connection.poll() == state);
    }

    private static byte[] bytes(final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    @Test
    void shouldConnectTwoQueuePairs() {
        final Listener listener = listen();
        assertNull(listener.poll());
        assertEquals(address, listener.address());
        server.queuePair.postReceives(1, 1);
        client.queuePair.postReceives(2, 1);

        final Connection outgoing = connect(NOTHING);
        final Connection incoming = rig.keep(awaitRequest(listener).accept(server.queuePair, NOTHING));
        awaitState(outgoing, Connection.State.ESTABLISHED);
        awaitState(incoming, Connection.State.ESTABLISHED);

        assertEquals(QueuePairState.READY_TO_SEND, client.queuePair.state());
        assertEquals(QueuePairState.READY_TO_SEND, server.queuePair.state());
        client.writeImmediate(3, WorkFlags.SIGNALED, 0, 8, server, 11);
        assertEquals(11, rig.awaitSuccess(server.receiveQueue).immediate());
        server.writeImmediate(4, WorkFlags.SIGNALED, 0, 8, client, 12);
        assertEquals(12, rig.awaitSuccess(client.receiveQueue).immediate());
        assertFalse(outgoing.isPeerGone());
        assertFalse(incoming.isPeerGone());
        assertFalse(outgoing.peer().isEmpty());
        assertFalse(incoming.peer().isEmpty());
    }

    @Test
    void shouldCarryPrivateDataBothWays() {
        final Listener listener = listen();
        final byte[] asked = bytes(Connection.MAX_CONNECT_PRIVATE_DATA);
        final byte[] answered = bytes(Connection.MAX_ACCEPT_PRIVATE_DATA);

        final Connection outgoing = connect(asked);
        assertEquals(0, outgoing.privateData().length);
        final ConnectionRequest request = awaitRequest(listener);
        assertArrayEquals(asked, request.privateData());
        rig.keep(request.accept(server.queuePair, answered));
        awaitState(outgoing, Connection.State.ESTABLISHED);

        assertArrayEquals(answered, outgoing.privateData());
    }

    @Test
    void shouldBeMadeOfTheSameAtBothEndsAndOfOtherThingsEachTime() {
        final Listener listener = listen();
        final Connection outgoing = connect(NOTHING);
        assertEquals(0, outgoing.binding().length);
        final Connection incoming = rig.keep(awaitRequest(listener).accept(server.queuePair, NOTHING));
        awaitState(outgoing, Connection.State.ESTABLISHED);
        final Endpoint otherClient = rig.onFirst(new EndpointOptions());
        final Endpoint otherServer = rig.onSecond(new EndpointOptions());
        otherClient.initialise();
        otherServer.initialise();
        final Connection other =
            rig.keep(rig.first.connect(address, otherClient.queuePair, NOTHING, TIMEOUT_NS));
        final Connection otherIncoming = rig.keep(awaitRequest(listener).accept(otherServer.queuePair, NOTHING));
        awaitState(other, Connection.State.ESTABLISHED);

        assertTrue(outgoing.binding().length > 0);
        assertArrayEquals(outgoing.binding(), incoming.binding());
        assertArrayEquals(other.binding(), otherIncoming.binding());
        assertFalse(Arrays.equals(outgoing.binding(), other.binding()));
    }

    @Test
    void shouldPadPrivateData() {
        final Listener listener = listen();

        final Connection outgoing = connect(bytes(3));
        final ConnectionRequest request = awaitRequest(listener);
        rig.keep(request.accept(server.queuePair, bytes(5)));
        awaitState(outgoing, Connection.State.ESTABLISHED);

        assertArrayEquals(Arrays.copyOf(bytes(3), Connection.MAX_CONNECT_PRIVATE_DATA), request.privateData());
        assertArrayEquals(Arrays.copyOf(bytes(5), Connection.MAX_ACCEPT_PRIVATE_DATA), outgoing.privateData());
    }

    @Test
    void shouldRefusePrivateDataThatIsTooLong() {
        final Listener listener = listen();
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
            () -> connect(bytes(Connection.MAX_CONNECT_PRIVATE_DATA + 1))).errno());

        connect(NOTHING);
        final ConnectionRequest request = awaitRequest(listener);

        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
            () -> request.accept(server.queuePair, bytes(Connection.MAX_ACCEPT_PRIVATE_DATA + 1))).errno());
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
            () -> request.reject(bytes(Connection.MAX_REJECT_PRIVATE_DATA + 1))).errno());
        request.reject(NOTHING);
    }

    @Test
    void shouldTellWhyItWasRejected() {
        final Listener listener = listen();

        final Connection outgoing = connect(NOTHING);
        awaitRequest(listener).reject(bytes(20));
        awaitState(outgoing, Connection.State.REJECTED);

        assertArrayEquals(bytes(20), Arrays.copyOf(outgoing.privateData(), 20));
        assertEquals(QueuePairState.INIT, client.queuePair.state());
    }

    @Test
    void shouldAnswerARequestOnce() {
        final Listener listener = listen();
        connect(NOTHING);
        final ConnectionRequest request = awaitRequest(listener);
        request.reject(NOTHING);

        assertThrows(IllegalStateException.class, () -> request.reject(NOTHING));
        assertThrows(IllegalStateException.class, () -> request.accept(server.queuePair, NOTHING));
    }

    @Test
    void shouldBeUnreachableWhenNobodyListens() {
        final Connection outgoing = connect(NOTHING);

        awaitState(outgoing, Connection.State.UNREACHABLE);
        assertEquals(QueuePairState.INIT, client.queuePair.state());
    }

    @Test
    void shouldConnectAgainWithTheSameQueuePairAfterNobodyListened() {
        awaitState(connect(NOTHING), Connection.State.UNREACHABLE);
        final Listener listener = listen();

        final Connection outgoing = connect(NOTHING);
        rig.keep(awaitRequest(listener).accept(server.queuePair, NOTHING));

        awaitState(outgoing, Connection.State.ESTABLISHED);
    }

    @Test
    void shouldBeUnreachableWhenNobodyAnswersInTime() {
        listen();

        final Connection outgoing =
            rig.keep(rig.first.connect(address, client.queuePair, NOTHING, 50_000_000L));

        awaitState(outgoing, Connection.State.UNREACHABLE);
    }

    @Test
    void shouldBeUnreachableAfterTheListenerClosed() {
        listen().close();

        awaitState(connect(NOTHING), Connection.State.UNREACHABLE);
    }

    @Test
    void shouldSayWhoListensThereAlready() {
        listen();

        final VerbsException e = assertThrows(VerbsException.class, () -> rig.first.listen(address, 8));

        assertEquals(Errno.EADDRINUSE, e.errno());
        assertTrue(e.getMessage().contains("pid " + ProcessHandle.current().pid()), e.getMessage());
    }

    @Test
    void shouldListenAgainAfterClosing() {
        listen().close();
        final Listener again = listen();

        final Connection outgoing = connect(NOTHING);
        rig.keep(awaitRequest(again).accept(server.queuePair, NOTHING));

        awaitState(outgoing, Connection.State.ESTABLISHED);
    }

    @Test
    void shouldRefuseMalformedArguments() {
        assertThrows(VerbsException.class, () -> rig.second.listen("", 8));
        assertThrows(VerbsException.class, () -> rig.second.listen(address, 0));
        assertThrows(VerbsException.class,
            () -> rig.first.connect("", client.queuePair, NOTHING, TIMEOUT_NS));
    }

    @Test
    void shouldNotConnectAQueuePairThatIsNotInInit() {
        listen();
        final Endpoint fresh = rig.onFirst(new EndpointOptions());

        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
            () -> rig.first.connect(address, fresh.queuePair, NOTHING, TIMEOUT_NS)).errno());
    }

    private List<Connection> established() {
        final Listener listener = listen();
        final Connection outgoing = connect(NOTHING);
        final Connection incoming = rig.keep(awaitRequest(listener).accept(server.queuePair, NOTHING));
        awaitState(outgoing, Connection.State.ESTABLISHED);
        awaitState(incoming, Connection.State.ESTABLISHED);
        return List.of(outgoing, incoming);
    }

    @Test
    void shouldTellThePeerOfADisconnect() {
        server.queuePair.postReceives(5, 2);
        final List<Connection> ends = established();

        ends.get(0).disconnect();
        ends.get(0).disconnect();

        assertEquals(Connection.State.DISCONNECTED, ends.get(0).poll());
        awaitState(ends.get(1), Connection.State.DISCONNECTED);
        rig.awaitState(client.queuePair, QueuePairState.ERROR);
        rig.awaitState(server.queuePair, QueuePairState.ERROR);
        for (final Completion flushed : rig.await(server.receiveQueue, 2)) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, flushed.status());
        }
        assertFalse(ends.get(1).isPeerGone(), "its process lives");
    }

    @Test
    void shouldFailTheQueuePairOfAConnectionThatIsGivenUp() {
        listen();
        final Connection outgoing = connect(NOTHING);
        assertEquals(Connection.State.CONNECTING, outgoing.poll());

        outgoing.disconnect();
        outgoing.disconnect();

        assertEquals(Connection.State.DISCONNECTED, outgoing.poll());
        assertEquals(QueuePairState.ERROR, client.queuePair.state());
    }

    @Test
    void shouldFailTheQueuePairOfAConnectionThatIsClosedBeforeTheAnswer() {
        listen();
        final Connection outgoing = connect(NOTHING);

        outgoing.close();

        assertEquals(Connection.State.DISCONNECTED, outgoing.poll());
        assertEquals(QueuePairState.ERROR, client.queuePair.state());
    }

    @Test
    void shouldTellTheClientOfADisconnectOfTheServer() {
        final List<Connection> ends = established();

        ends.get(1).close();

        awaitState(ends.get(0), Connection.State.DISCONNECTED);
        rig.awaitState(client.queuePair, QueuePairState.ERROR);
    }

    @Test
    void shouldNoticeADisconnectThroughTheDevicesDuties() {
        final List<Connection> ends = established();

        ends.get(0).disconnect();

        rig.awaitState(server.queuePair, QueuePairState.ERROR);
        assertEquals(Connection.State.DISCONNECTED, ends.get(1).poll());
    }

    @Test
    void shouldDeliverWhatWasSentBeforeTheDisconnect() {
        server.queuePair.postReceives(5, 3);
        final List<Connection> ends = established();
        client.writeImmediate(1, WorkFlags.SIGNALED, 0, 8, server, 1);
        client.writeImmediate(2, WorkFlags.SIGNALED, 0, 8, server, 2);
        rig.await(client.sendQueue, 2);

        ends.get(0).disconnect();

        assertEquals(1, rig.awaitSuccess(server.receiveQueue).immediate());
        assertEquals(2, rig.awaitSuccess(server.receiveQueue).immediate());
        assertEquals(WorkStatus.WR_FLUSH_ERR, rig.await(server.receiveQueue).status());
    }

    @Test
    void shouldKeepAcceptedConnectionsWhenTheListenerCloses() {
        final Listener listener = listen();
        final Connection outgoing = connect(NOTHING);
        final Connection incoming = rig.keep(awaitRequest(listener).accept(server.queuePair, NOTHING));
        listener.close();
        listener.close();
        awaitState(outgoing, Connection.State.ESTABLISHED);
        awaitState(incoming, Connection.State.ESTABLISHED);
        server.queuePair.postReceives(1, 1);

        client.writeImmediate(1, WorkFlags.SIGNALED, 0, 8, server, 9);

        assertEquals(9, rig.awaitSuccess(server.receiveQueue).immediate());
    }

    @Test
    void shouldServeManyClients() {
        final Listener listener = listen();
        for (int i = 0; i < 20; i++) {
            final Endpoint from = rig.onFirst(new EndpointOptions());
            final Endpoint to = rig.onSecond(new EndpointOptions());
            from.initialise();
            to.initialise();
            to.queuePair.postReceives(i, 1);
            final Connection outgoing =
                rig.keep(rig.first.connect(address, from.queuePair, bytes(i), TIMEOUT_NS));
            final ConnectionRequest request = awaitRequest(listener);
            assertArrayEquals(bytes(i), Arrays.copyOf(request.privateData(), i));
            rig.keep(request.accept(to.queuePair, NOTHING));
            awaitState(outgoing, Connection.State.ESTABLISHED);
            from.writeImmediate(i, WorkFlags.SIGNALED, 0, 8, to, i);
            assertEquals(i, rig.awaitSuccess(to.receiveQueue).immediate());
        }
    }

    @Test
    void shouldTellWhoListens() {
        rig.assumeHas(DeviceFixture.Ability.TELLS_LISTENERS);
        final List<String> services = List.of("ipc/prices/1", "ipc/prices/2", "ipc/or ders%/ä.1", "ipc/news");
        services.forEach(service -> rig.keep(rig.second.listen(service, 4)));

        assertEquals(List.of("ipc/prices/1", "ipc/prices/2"), rig.first.listeners("ipc/prices"));
        assertEquals(List.of("ipc/or ders%/ä.1"), rig.first.listeners("ipc/or ders%"));
        assertEquals(List.of(), rig.first.listeners("ipc/prices/1"));
        assertEquals(List.of(), rig.first.listeners("nobody"));
        assertEquals(4, rig.first.listeners("ipc").size());
    }

    @Test
    void shouldHaveNoMoreReadsUnderWayThanThePeerAnswers() {
        final int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;
        client = rig.onFirst(new EndpointOptions().grants(access).reads(
            Math.min(8, rig.first.attributes().maxReadAtomic()), 1));
        server = rig.onSecond(new EndpointOptions().grants(access).reads(
            Math.min(8, rig.second.attributes().maxReadAtomic()), 1));
        client.initialise();
        server.initialise();
        final Listener listener = listen();
        final Connection outgoing = connect(NOTHING);
        final Connection incoming = rig.keep(awaitRequest(listener).accept(server.queuePair, NOTHING));
        awaitState(outgoing, Connection.State.ESTABLISHED);
        awaitState(incoming, Connection.State.ESTABLISHED);

        readsAll(client, server);
        readsAll(server, client);
    }

    private void readsAll(final Endpoint reader, final Endpoint owner) {
        owner.fill(0, 32_000, 5);
        for (int i = 0; i < 16; i++) {
            assertEquals(Errno.OK, reader.queuePair.postRead(i, WorkFlags.SIGNALED, reader.address(2000 * i),
                reader.region.localKey(), 2000, owner.address(2000 * i), owner.region.remoteKey()));
        }
        rig.await(reader.sendQueue, 16).forEach(c -> assertTrue(c.isSuccess(), c.toString()));
        assertTrue(reader.holds(0, 32_000, 5));
    }
}
