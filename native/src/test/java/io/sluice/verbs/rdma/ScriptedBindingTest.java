package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.Connection;
import io.sluice.verbs.Listener;
import io.sluice.verbs.rdma.generated.rdma_addr;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bytes that bind a proof to its connection: the address of each end, sixteen bytes behind their count, and the
 * number of its queue pair; of the connecting end first. Each end makes them of what its own kernel tells, so they are
 * written out here.
 */
class ScriptedBindingTest extends ScriptedManagerTests {
    private static final byte[] NOTHING = {};
    private static final int PORT = 40123;
    private static final int PEERS_NUMBER = 0x123456;
    private static final String PEERS_NUMBER_HEX = "00123456";

    /** Write addresses into an identifier, as the kernel does. */
    private static void resolve(final MemorySegment id, final String own, final String peer) {
        final MemorySegment address = rdma_route.addr(rdma_cm_id.route(id));
        try (Arena arena = Arena.ofConfined()) {
            write(own, rdma_addr.src_storage(address), arena);
            write(peer, rdma_addr.dst_storage(address), arena);
        }
    }

    private static void write(final String address, final MemorySegment target, final Arena arena) {
        final boolean isMapped = address.startsWith("::ffff:");
        final MemorySegment socket = SocketAddresses.encode(
            new InetSocketAddress(InetAddress.ofLiteral(isMapped ? "::1" : address), PORT), arena);
        MemorySegment.copy(socket, 0, target, 0, socket.byteSize());
        if (isMapped) {
            // Java makes an IPv4 address of it, the kernel does not
            MemorySegment.copy(MemorySegment.ofArray(GidText.parse(address)), 0, target, 8, PeerAddress.GID_LENGTH);
        }
    }

    private static String number(final ReliableQueuePair queuePair) {
        return HexFormat.of().toHexDigits(queuePair.number());
    }

    private static String hex(final Connection connection) {
        return HexFormat.of().formatHex(connection.binding());
    }

    @ParameterizedTest
    @CsvSource({
        "10.77.0.1, 040a4d0001000000000000000000000000, 10.77.0.2, 040a4d0002000000000000000000000000",
        "fd01::1, 10fd010000000000000000000000000001, fd01::2, 10fd010000000000000000000000000002",
        "::ffff:10.77.0.1, 040a4d0001000000000000000000000000, ::ffff:10.77.0.2, 040a4d0002000000000000000000000000"})
    void shouldBindBothEndsAndTheirQueuePairsTheConnectingOneFirst(
        final String own, final String ownHex, final String peer, final String peerHex) {
        final String peerText = peer.indexOf(':') < 0 ? peer : "[" + peer + "]";
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connecting =
            manager.device.connect(peerText + ":" + PORT, queuePair, NOTHING, Long.MAX_VALUE);
        assertEquals("", hex(connecting), "not before the peer has answered");
        resolve(manager.ids.getLast(), own, peer);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), manager.ids.getLast(), PEERS_NUMBER);
        assertEquals(Connection.State.ESTABLISHED, connecting.poll(), connecting.problem());

        assertEquals(ownHex + number(queuePair) + peerHex + PEERS_NUMBER_HEX, hex(connecting));
    }

    @ParameterizedTest
    @CsvSource({
        "10.77.0.1, 040a4d0001000000000000000000000000, 10.77.0.2, 040a4d0002000000000000000000000000",
        "fd01::1, 10fd010000000000000000000000000001, fd01::2, 10fd010000000000000000000000000002",
        "::ffff:10.77.0.1, 040a4d0001000000000000000000000000, ::ffff:10.77.0.2, 040a4d0002000000000000000000000000"})
    void shouldBindTheSameAtTheEndThatAccepts(
        final String own, final String ownHex, final String peer, final String peerHex) {
        final Listener listener = manager.device.listen("10.77.0.1:" + PORT, 1);
        resolve(manager.request(manager.ids.getLast(), 0, PEERS_NUMBER), own, peer);
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection accepted = listener.poll().accept(queuePair, NOTHING);

        assertEquals(peerHex + PEERS_NUMBER_HEX + ownHex + number(queuePair), hex(accepted));
    }
}
