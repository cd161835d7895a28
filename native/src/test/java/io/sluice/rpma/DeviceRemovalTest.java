package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A device that is taken away while it is used. */
class DeviceRemovalTest extends RpmaDeviceTests {
    private static final String ADDRESS = "10.79.0.1";
    private static final String ADDITION = "ip link add d9 type veth peer name d9p && ip link set d9p up"
        + " && ip addr add " + ADDRESS + "/24 dev d9 && ip link set d9 up && rdma link add rxe9 type rxe netdev d9";
    private static final String REMOVAL = "rdma link delete rxe9";
    private static final int LIMIT_SECONDS = 60;
    /** Events by which the server sees the removal: the end of the client may come before. */
    private static final Set<RpmaConnectionEvent> ENDS =
        Set.of(RpmaConnectionEvent.LOST, RpmaConnectionEvent.CLOSED);

    private static Process start(final String command) throws IOException {
        final ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
        return builder.redirectErrorStream(true).redirectOutput(new File("/dev/null")).start();
    }

    @Test
    void shouldTellThatTheDeviceIsGone() throws IOException, InterruptedException {
        assumeTrue(System.getenv("SLUICE_LAB") != null, "only in the lab are devices ours to take away");
        final Process addition = start(ADDITION);
        assertTrue(addition.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), ADDITION);
        assertEquals(0, addition.exitValue(), ADDITION);
        final RpmaPeer peer = rig.keep(RpmaPeer.ofLocalAddress(rig.environment, ADDRESS));
        final String port = RpmaRig.newPort();
        final RpmaEndpoint endpoint = rig.keep(peer.listen(ADDRESS, port));
        final RpmaSide client = new RpmaSide(rig, peer, new SideOptions().receives(1));
        final RpmaSide server = new RpmaSide(rig, peer, new SideOptions().receives(1));
        client.connect(peer.requestConnection(ADDRESS, port, RpmaRig.CONFIGURATION));
        server.connect(endpoint.nextConnectionRequest(RpmaRig.CONFIGURATION, RpmaRig.TIMEOUT_NS));
        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);

        // ends some time after everything is closed
        start(REMOVAL);

        client.awaitEvent(RpmaConnectionEvent.LOST);
        final RpmaConnectionEvent ofServer = server.connection.nextEvent(RpmaRig.TIMEOUT_NS);
        assertTrue(ENDS.contains(ofServer), () -> "event=" + ofServer);
        final RpmaException surprise = assertThrows(RpmaException.class,
            () -> endpoint.nextConnectionRequest(RpmaRig.CONFIGURATION, RpmaRig.TIMEOUT_NS));
        assertTrue(surprise.getMessage().contains("RDMA_CM_EVENT_DEVICE_REMOVAL"), surprise.getMessage());
        assertEquals(RpmaError.E_PROVIDER,
            assertThrows(RpmaException.class, client.connection::disconnect).code());
        final RpmaRig.Link ofOtherDevice = rig.link(new SideOptions().receives(1), new SideOptions());
        RpmaRig.Link.move(ofOtherDevice.client(), ofOtherDevice.server(), 1);
    }
}
