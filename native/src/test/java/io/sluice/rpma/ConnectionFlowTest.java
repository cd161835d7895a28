package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Connection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way in which a connection begins and ends; librpma's example 01-connection. */
class ConnectionFlowTest extends RpmaDeviceTests {
    private static final byte[] FROM_CLIENT = "Hello server!".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FROM_SERVER = "Hello client!".getBytes(StandardCharsets.US_ASCII);
    /** Bytes that RoCE has room for: so many arrive, padded. */
    private static final int MAX_REQUEST_LENGTH = Connection.MAX_CONNECT_PRIVATE_DATA;
    private static final int MAX_ANSWER_LENGTH = Connection.MAX_ACCEPT_PRIVATE_DATA;
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    /** The network adds zeros to them, and so does not tell their length. */
    private static void assertBeginsWith(final byte[] expected, final byte[] data, final int paddedLength) {
        assertEquals(paddedLength, data.length);
        assertArrayEquals(Arrays.copyOf(expected, paddedLength), data);
    }

    @Test
    void shouldTellPrivateDataBothWays() {
        rig.endpoint();
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, new SideOptions().privateData(FROM_CLIENT));
        final RpmaSide server = new RpmaSide(rig, rig.serverPeer, new SideOptions().privateData(FROM_SERVER));
        client.connect(rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        final RpmaConnectionRequest request = rig.awaitRequest(RpmaRig.CONFIGURATION);
        assertBeginsWith(FROM_CLIENT, request.privateData(), MAX_REQUEST_LENGTH);
        assertEquals(0, client.connection.privateData().length);

        server.connect(request);
        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);

        assertBeginsWith(FROM_CLIENT, server.connection.privateData(), MAX_REQUEST_LENGTH);
        assertBeginsWith(FROM_SERVER, client.connection.privateData(), MAX_ANSWER_LENGTH);
    }

    @Test
    void shouldTellAsMuchPrivateDataAsTheDeviceTakes() {
        final byte[] request = new byte[MAX_REQUEST_LENGTH];
        final byte[] answer = new byte[MAX_ANSWER_LENGTH];
        Arrays.fill(request, (byte) 0x81);
        Arrays.fill(answer, (byte) 0x7e);

        final RpmaRig.Link link =
            rig.link(new SideOptions().privateData(answer), new SideOptions().privateData(request));

        assertArrayEquals(request, link.server().connection.privateData());
        assertArrayEquals(answer, link.client().connection.privateData());
    }

    @Test
    void shouldConnectAfterMorePrivateDataThanTheDeviceTakesWasRefused() {
        rig.endpoint();
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, new SideOptions());
        final RpmaSide server = new RpmaSide(rig, rig.serverPeer, new SideOptions());
        final RpmaConnectionRequest request =
            rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION);

        assertThrows(IllegalArgumentException.class, () -> request.connect(new byte[MAX_REQUEST_LENGTH + 1]));
        client.connect(request);
        final RpmaConnectionRequest received = rig.awaitRequest(RpmaRig.CONFIGURATION);
        assertThrows(IllegalArgumentException.class, () -> received.connect(new byte[MAX_ANSWER_LENGTH + 1]));
        server.connect(received);

        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
    }

    @Test
    void shouldConnectWithoutPrivateData() {
        final RpmaRig.Link link = rig.link();

        for (final RpmaSide side : List.of(link.server(), link.client())) {
            for (final byte padding : side.connection.privateData()) {
                assertEquals(0, padding);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellBothSidesWhenOneDisconnects(final boolean isClientFirst) {
        final RpmaRig.Link link = rig.link();
        final RpmaSide first = isClientFirst ? link.client() : link.server();
        final RpmaSide second = isClientFirst ? link.server() : link.client();

        RpmaRig.Link.disconnect(first, second);

        // librpma tells another event of the connection manager by the same word: that the number may be used again
        first.awaitEvent(RpmaConnectionEvent.CLOSED);
        second.awaitEvent(RpmaConnectionEvent.CLOSED);
        assertNull(first.connection.nextEvent(0));
        assertNull(second.connection.nextEvent(0));
    }

    @Test
    void shouldTellTheServerOfTheConnectionWhenTheClientHasLooked() {
        rig.endpoint();
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, new SideOptions());
        final RpmaSide server = new RpmaSide(rig, rig.serverPeer, new SideOptions());
        client.connect(rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        server.connect(rig.awaitRequest(RpmaRig.CONFIGURATION));
        assertNull(server.connection.nextEvent(0));

        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);

        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
    }

    @Test
    void shouldConnectAgainAfterTheEnd() {
        for (int i = 0; i < 3; i++) {
            final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());
            RpmaRig.Link.move(link.client(), link.server(), i);
            link.disconnect();
            link.client().connection.close();
            link.server().connection.close();
        }
    }

    @Test
    void shouldTellNothingWhileNothingHappens() {
        final RpmaRig.Link link = rig.link();

        for (final long timeoutNs : new long[] {-1, 0, 1_000_000}) {
            assertNull(link.client().connection.nextEvent(timeoutNs));
            assertNull(link.server().connection.nextEvent(timeoutNs));
            assertNull(rig.endpoint().nextConnectionRequest(RpmaRig.CONFIGURATION, timeoutNs));
            assertEquals(RpmaError.E_NO_COMPLETION, link.client().connection.completionQueue().await(timeoutNs));
        }
    }

    @Test
    void shouldTellQueuePairNumbersOfTheirOwn() {
        final RpmaRig.Link one = rig.link();
        final RpmaRig.Link another = rig.link();

        final int[] numbers = Stream.of(one, another).flatMap(link -> Stream.of(link.server(), link.client()))
            .mapToInt(side -> side.connection.queuePairNumber()).toArray();

        assertEquals(numbers.length, Arrays.stream(numbers).distinct().count(), Arrays.toString(numbers));
        assertTrue(Arrays.stream(numbers).allMatch(number -> number > 1), Arrays.toString(numbers));
    }

    @Test
    void shouldConnectThroughADeviceOfAName() throws Exception {
        final List<String> names;
        try (Stream<Path> devices = Files.list(DEVICES)) {
            names = devices.map(device -> device.getFileName().toString()).sorted().toList();
        }
        final RpmaPeer peer = rig.keep(RpmaPeer.ofDevice(rig.environment, names.getFirst()));
        final RpmaSide client = new RpmaSide(rig, peer, new SideOptions());
        final RpmaSide server = new RpmaSide(rig, rig.serverPeer, new SideOptions().receives(1));

        client.connect(peer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        server.connect(rig.awaitRequest(RpmaRig.CONFIGURATION));
        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);

        RpmaRig.Link.move(client, server, 1);
        assertEquals(rig.clientPeer.isOnDemandPagingCapable(), peer.isOnDemandPagingCapable());
        assertNotEquals(client.connection.queuePairNumber(), server.connection.queuePairNumber());
    }
}
