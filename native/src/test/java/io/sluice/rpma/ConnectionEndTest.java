package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that do not come about, and those that end without good-bye. */
class ConnectionEndTest extends RpmaDeviceTests {
    /** An address of the lab's network, and nobody's. */
    private static final String NOBODY = "10.77.0.77";

    private static final Set<RpmaConnectionEvent> FAILURES = Set.of(
        RpmaConnectionEvent.REJECTED, RpmaConnectionEvent.LOST, RpmaConnectionEvent.UNREACHABLE);

    @TempDir
    private Path folder;

    private RpmaSide ask(final String port) {
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, new SideOptions());
        client.connect(rig.clientPeer.requestConnection(rig.address, port, RpmaRig.CONFIGURATION));
        return client;
    }

    @Test
    void shouldBeRejectedWhereNobodyListens() {
        final RpmaSide client = ask(RpmaRig.newPort());

        client.awaitEvent(RpmaConnectionEvent.REJECTED);
    }

    @Test
    void shouldBeRejectedByAServerThatClosesTheRequest() {
        final RpmaSide client = ask(rig.port());
        final RpmaConnectionRequest request = rig.awaitRequest(RpmaRig.CONFIGURATION);

        request.close();

        client.awaitEvent(RpmaConnectionEvent.REJECTED);
        assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class, request::connect).code());
    }

    @Test
    void shouldBeRejectedWhenTheEndpointIsClosedBeforeItLooks() {
        final RpmaSide client = ask(rig.port());

        rig.endpoint().close();

        client.awaitEvent(RpmaConnectionEvent.REJECTED);
        assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class,
            () -> rig.endpoint().nextConnectionRequest(RpmaRig.CONFIGURATION, 0)).code());
    }

    @Test
    void shouldNotConnectToAClientThatIsGone() {
        final RpmaSide client = ask(rig.port());
        final RpmaConnectionRequest request = rig.awaitRequest(RpmaRig.CONFIGURATION);

        client.connection.close();

        try {
            // its good-bye may come after that
            final RpmaConnectionEvent event = rig.keep(request.connect()).nextEvent(RpmaRig.TIMEOUT_NS);
            assertTrue(FAILURES.contains(event), () -> "event=" + event);
        } catch (final RpmaException e) {
            assertEquals(RpmaError.E_PROVIDER, e.code());
            assertTrue(e.getMessage().contains("rdma_accept()"), e.getMessage());
        }
        assertAcceptsAnother();
    }

    private void assertAcceptsAnother() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());
        RpmaRig.Link.move(link.client(), link.server(), 1);
    }

    /** librpma forgets the request, and does not refuse it. */
    @Test
    void shouldRejectAClientThatIsNotAcceptedForItsConfigurationWhenTheEndpointIsClosed() {
        final RpmaSharedReceiveQueue shared = rig.keep(
            rig.serverPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        final RpmaSide client = ask(rig.port());

        final RpmaException failure = assertThrows(RpmaException.class, () -> rig.endpoint().nextConnectionRequest(
            RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared).withSharedCompletionChannel(true),
            RpmaRig.TIMEOUT_NS));

        assertEquals(RpmaError.E_INVAL, failure.code());
        assertTrue(failure.getMessage().contains("shared completion channel cannot be used"), failure.getMessage());
        assertAcceptsAnother();
        rig.endpoint().close();
        client.awaitEvent(RpmaConnectionEvent.REJECTED);
    }

    @Test
    void shouldTellTheOtherSideWhenAConnectionIsDeletedWithoutDisconnecting() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());

        link.client().connection.close();

        link.server().awaitEvent(RpmaConnectionEvent.CLOSED);
        link.server().connection.disconnect();
        assertEquals(WorkStatus.WR_FLUSH_ERR, link.server().main.nextFailure(0));
    }

    @Test
    void shouldTellThatTheOtherProcessWasKilled() throws IOException, InterruptedException {
        RpmaPeerProgram.assumeThere();
        final int port = RpmaPlace.newPort();
        final RpmaPeerProgram program = rig.keep(RpmaPeerProgram.server(folder, rig.address, port, "messages"));
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, new SideOptions().receives(1));
        client.connect(rig.clientPeer.requestConnection(
            rig.address, Integer.toString(port), RpmaRig.CONFIGURATION));
        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        client.sendNumber(7);
        assertEquals(8, client.awaitNumber());

        program.close();

        client.awaitEvent(RpmaConnectionEvent.CLOSED);
        client.connection.disconnect();
        assertEquals(WorkStatus.WR_FLUSH_ERR, client.main.nextFailure(0));
    }

    @Test
    void shouldSayWhichAddressNoDeviceHas() {
        final RpmaException failure =
            assertThrows(RpmaException.class, () -> RpmaPeer.ofLocalAddress(rig.environment, NOBODY));

        assertEquals(RpmaError.E_PROVIDER, failure.code());
        assertTrue(failure.getMessage().contains("no RDMA device with address=" + NOBODY),
            failure.getMessage());
        assertTrue(failure.errno() != 0, failure.getMessage());
    }

    @Test
    void shouldSayWhichAddressNoDeviceLeadsTo() {
        final RpmaException failure =
            assertThrows(RpmaException.class, () -> RpmaPeer.ofRemoteAddress(rig.environment, NOBODY));

        assertEquals(RpmaError.E_PROVIDER, failure.code());
        assertTrue(failure.getMessage().contains("no RDMA device that leads to address=" + NOBODY),
            failure.getMessage());
        final RpmaException refusal = assertThrows(RpmaException.class, () -> rig.clientPeer.requestConnection(
            NOBODY, "42", RpmaRig.CONFIGURATION.withTimeoutMs(100)));
        assertTrue(refusal.getMessage().contains("no connection to address=" + NOBODY + " port=42"),
            refusal.getMessage());
        assertTrue(refusal.getMessage().contains(": nobody has the address"), refusal.getMessage());
    }

    @Test
    void shouldSayThatAPortIsTaken() {
        final String port = rig.port();

        final RpmaException failure =
            assertThrows(RpmaException.class, () -> rig.serverPeer.listen(rig.address, port));

        assertEquals(RpmaError.E_PROVIDER, failure.code());
        assertTrue(failure.getMessage().contains("nobody listens on address=" + rig.address + " port=" + port),
            failure.getMessage());
        assertTrue(failure.getMessage().contains("EADDRINUSE"), failure.getMessage());
    }

    @Test
    void shouldNameTheDevicesThatThereAre() {
        final VerbsException failure =
            assertThrows(VerbsException.class, () -> RpmaPeer.ofDevice(rig.environment, "no_such0"));

        assertTrue(failure.getMessage().contains("there is no device no_such0 but ["), failure.getMessage());
    }
}
