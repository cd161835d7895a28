package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.rdma_addr;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_ib_addr;
import io.sluice.verbs.rdma.generated.rdma_route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the address that a peer says to have is the one that its packets come from, over paths by a script. */
class ScriptedAddressTest extends ScriptedManagerTests {
    private static final byte[] NOTHING = {};
    private static final String OWN = "10.77.0.1:40123";
    private static final int ENTRIES = 8;
    private static final int ZONE = 7;

    private int linkLayer = rdma_constants.IBV_LINK_LAYER_ETHERNET();
    /** The address that paths lead to. */
    private String destination = "10.77.0.2";
    private boolean hasGivenUp;

    @BeforeEach
    void scriptPaths() {
        final var port = manager.libraries.answer("ibv_query_port");
        manager.libraries.answer("ibv_query_port", arguments -> {
            port.call(arguments);
            final MemorySegment attributes = segment(arguments[2], ibv_port_attr.sizeof());
            ibv_port_attr.link_layer(attributes, (byte) linkLayer);
            ibv_port_attr.gid_tbl_len(attributes, ENTRIES);
            return 0;
        });
        manager.libraries.answer("rdma_init_qp_attr", arguments -> {
            if (hasGivenUp) {
                return Errno.EINVAL;
            }
            final MemorySegment attributes = segment(arguments[1], ibv_qp_attr.sizeof());
            int mask = rdma_constants.IBV_QP_STATE();
            if (ibv_qp_attr.qp_state(attributes) == rdma_constants.IBV_QPS_RTR()) {
                final MemorySegment path = ibv_qp_attr.ah_attr(attributes);
                ibv_ah_attr.port_num(path, (byte) 1);
                ibv_ah_attr.is_global(path, (byte) 1);
                write(GidText.parse(destination), ibv_global_route.dgid(ibv_ah_attr.grh(path)));
                mask |= rdma_constants.IBV_QP_AV();
            }
            segment(arguments[2], Integer.BYTES).set(ValueLayout.JAVA_INT, 0, mask);
            return 0;
        });
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    private static void write(final byte[] bytes, final MemorySegment target) {
        MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    /** A request of a peer that says an address, which the kernel puts into the identifier, as a GID too. */
    private ConnectionRequest request(final String said) {
        final Listener listener = manager.device.listen(OWN, 1);
        request(manager.ids.getLast(), said);
        return listener.poll();
    }

    private void request(final MemorySegment listening, final String said) {
        final MemorySegment id = manager.request(listening);
        rdma_cm_id.port_num(id, (byte) 1);
        final MemorySegment address = rdma_route.addr(rdma_cm_id.route(id));
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment socket = SocketAddresses.encode(
                new InetSocketAddress(InetAddress.ofLiteral(said), 54321), arena);
            MemorySegment.copy(socket, 0, rdma_addr.dst_storage(address), 0, socket.byteSize());
        }
        write(GidText.parse(said), rdma_ib_addr.dgid(rdma_addr.addr.ibaddr(rdma_addr.addr(address))));
    }

    private Connection accepted(final ConnectionRequest request) {
        final Connection connection = request.accept(manager.newQueuePair(), NOTHING);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_ESTABLISHED(), manager.ids.getLast());
        assertEquals(Connection.State.ESTABLISHED, connection.poll());
        return connection;
    }

    private static byte[] queuePairAt(final String gid) {
        return new PeerAddress(1, 1, 0, 3, true, GidText.parse(gid)).encode();
    }

    /**
     * A packet carries the GID that is made of the address which its connection left from: of the first address of a
     * port, of a further one of the same port, of that of a VLAN, whose GIDs are in the same table, and of a link's.
     */
    @ParameterizedTest
    @CsvSource({"10.77.0.2", "10.77.0.202", "10.7.0.2", "fd01::2", "fd01::2:2", "fe80::2", "fe80::5054:ff:fe12:3456"})
    void shouldBelieveAPeerItsAddressThatIsThatOfThePath(final String address) {
        destination = address;
        final ConnectionRequest request = request(address.startsWith("fe80") ? address + "%" + ZONE : address);

        assertEquals("", request.contradictingAddress());
        final Connection connection = accepted(request);
        assertEquals("", connection.contradictingAddress());
        assertEquals("", connection.contradictingAddress(queuePairAt(address)));
    }

    @ParameterizedTest
    @CsvSource({
        "10.77.0.2, 10.77.0.3, ::ffff:10.77.0.3", "10.77.0.2, 10.77.0.202, ::ffff:10.77.0.202",
        "10.77.0.2, 10.7.0.2, ::ffff:10.7.0.2", "10.77.0.2, fe80::2, fe80:0:0:0:0:0:0:2",
        "fd01::2, fd01::3, fd01:0:0:0:0:0:0:3", "fd01::2, 10.77.0.2, ::ffff:10.77.0.2",
        "fe80::2%7, fe80::3, fe80:0:0:0:0:0:0:3"})
    void shouldTellTheAddressOfThePathWhereThePeerSaysAnotherOne(
        final String said, final String path, final String told) {
        destination = path;
        final ConnectionRequest request = request(said);

        assertEquals(told, request.contradictingAddress());
        assertEquals(told, accepted(request).contradictingAddress());
    }

    @Test
    void shouldTellTheAddressOfAnotherQueuePairThatIsNotThePeers() {
        final Connection connection = accepted(request("10.77.0.2"));

        assertEquals("::ffff:10.77.0.9", connection.contradictingAddress(queuePairAt("10.77.0.9")));
        // what it is made of is told when the queue pair is made ready
        assertEquals("", connection.contradictingAddress(new byte[] {1, 2, 3}));
    }

    @Test
    void shouldCompareAtAConnectingEndToo() {
        final Connection connection =
            manager.device.connect("10.77.0.2:40123", manager.newQueuePair(), NOTHING, Long.MAX_VALUE);
        assertEquals("", connection.contradictingAddress());
        manager.deliver(rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), manager.ids.getLast());
        assertEquals(Connection.State.ESTABLISHED, connection.poll(), connection.problem());

        assertEquals("", connection.contradictingAddress());
        assertEquals("::ffff:10.77.0.9", connection.contradictingAddress(queuePairAt("10.77.0.9")));
    }

    /** A GID is no IP address there. */
    @Test
    void shouldCompareNothingOnInfiniBand() {
        linkLayer = rdma_constants.IBV_LINK_LAYER_INFINIBAND();
        destination = "fe80::2:c903:1:2";
        final ConnectionRequest request = request("10.77.0.2");

        assertEquals("", request.contradictingAddress());
        final Connection connection = accepted(request);
        assertEquals("", connection.contradictingAddress());
        assertEquals("", connection.contradictingAddress(queuePairAt("fe80::2:c903:1:3")));
    }

    @Test
    void shouldLeaveItToTheAnswerThatThePeerOfARequestHasGivenUp() {
        hasGivenUp = true;

        assertEquals("", request("10.77.0.2").contradictingAddress());
    }

    /** A flood says another address each time: on Ethernet the share is that of the host which the path leads to. */
    @ParameterizedTest
    @CsvSource({"ETHERNET, 4, 1", "INFINIBAND, 8, 0"})
    void shouldShareThePlacesOfRequestsByWhereTheyComeFrom(
        final String layer, final int waiting, final int ofTheOther) {
        linkLayer = layer.equals("ETHERNET")
            ? rdma_constants.IBV_LINK_LAYER_ETHERNET() : rdma_constants.IBV_LINK_LAYER_INFINIBAND();
        final Listener listener = manager.device.listen(OWN, 8);
        final MemorySegment listening = manager.ids.getLast();
        for (int i = 0; i < 20; i++) {
            request(listening, "10.77.1." + (1 + i));
        }
        readEvents();
        assertEquals(20 - waiting, listener.takeRefused());
        destination = "10.77.0.3";
        request(listening, destination);
        readEvents();
        assertEquals(1 - ofTheOther, listener.takeRefused());
        for (int i = 0; i < waiting + ofTheOther; i++) {
            listener.poll().reject(NOTHING);
        }
        assertNull(listener.poll());
    }

    private void readEvents() {
        while (manager.device.poll((type, queue, queuePair) -> { }) > 0) {
            continue;
        }
    }
}
