package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Listener;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.rdma_addr;
import io.sluice.verbs.rdma.generated.rdma_cm_id;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.rdma_ib_addr;
import io.sluice.verbs.rdma.generated.rdma_route;
import io.sluice.verbs.rdma.generated.sockaddr_storage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The device, port and address that a connection and its data links leave from, over a table and routes by a script.
 */
class ScriptedRouteTest {
    private static final int ENODATA = 61;
    private static final byte[] NOTHING = {};
    private static final String FIRST = "10.77.0.1";
    private static final String SECOND = "10.88.0.1";
    private static final String PEER = "10.88.0.2:40123";
    private static final int PORTS = 2;

    /** GIDs of both ports; an empty entry is not set. */
    private final List<String> gids = new ArrayList<>(List.of("fe80::1", FIRST, SECOND, "fd01::1"));
    /** Transitions that queue pairs were asked for, in order. */
    private final List<Transition> transitions = new ArrayList<>();
    /** Addresses that connections were to leave from; null where the connection manager chooses. */
    private final List<String> sources = new ArrayList<>();
    private InetAddress routed = InetAddress.ofLiteral(SECOND);
    private int routedPort = 1;
    private int routedGid = 2;
    private ScriptedManager manager;

    private record Transition(int state, int port, int gidIndex) {
    }

    private final class Routes extends ForwardingEnvironment {
        private Routes() {
            super(SystemEnvironment.instance());
        }

        @Override
        public InetAddress sourceAddress(final InetSocketAddress peer) {
            return routed;
        }
    }

    @BeforeEach
    void assume() {
        PresentLibraries.assume();
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
    }

    private void open(final int port, final int gidIndex) {
        manager = new ScriptedManager(new Routes(), new RdmaDeviceOptions(ScriptedManager.DEVICE, port, gidIndex,
            CompletionInterface.AUTO, PostingInterface.WORK_REQUESTS), this::script);
    }

    private void open() {
        open(RdmaDeviceOptions.ANY_PORT, RdmaDeviceOptions.BEST_GID);
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    private void script(final ScriptedLibraries libraries) {
        final var device = libraries.answer("ibv_query_device");
        libraries.answer("ibv_query_device", arguments -> {
            device.call(arguments);
            ibv_device_attr.phys_port_cnt(segment(arguments[1], ibv_device_attr.sizeof()), (byte) PORTS);
            return 0;
        });
        final var port = libraries.answer("ibv_query_port");
        libraries.answer("ibv_query_port", arguments -> {
            port.call(arguments);
            final MemorySegment attributes = segment(arguments[2], ibv_port_attr.sizeof());
            ibv_port_attr.link_layer(attributes, (byte) rdma_constants.IBV_LINK_LAYER_ETHERNET());
            ibv_port_attr.gid_tbl_len(attributes, gids.size());
            return 0;
        });
        libraries.answer("ibv_query_gid", arguments -> {
            final int index = (int) arguments[2];
            if (index >= gids.size()) {
                return -1;
            }
            final byte[] gid =
                gids.get(index).isEmpty() ? new byte[PeerAddress.GID_LENGTH] : GidText.parse(gids.get(index));
            MemorySegment.copy(gid, 0, segment(arguments[3], gid.length), ValueLayout.JAVA_BYTE, 0, gid.length);
            return 0;
        });
        final var modify = libraries.answer("ibv_modify_qp");
        libraries.answer("ibv_modify_qp", arguments -> {
            final MemorySegment attributes = segment(arguments[1], ibv_qp_attr.sizeof());
            final MemorySegment path = ibv_qp_attr.ah_attr(attributes);
            transitions.add(new Transition(ibv_qp_attr.qp_state(attributes), ibv_qp_attr.port_num(attributes),
                ibv_global_route.sgid_index(ibv_ah_attr.grh(path))));
            return modify.call(arguments);
        });
        scriptManager(libraries);
    }

    /** Scripts what the kernel finds, with an identifier's address where librdmacm puts it. */
    private void scriptManager(final ScriptedLibraries libraries) {
        libraries.answer("rdma_bind_addr", arguments -> {
            resolve(segment(arguments[0], rdma_cm_id.sizeof()));
            return 0;
        });
        libraries.answer("rdma_resolve_addr", arguments -> {
            final MemorySegment source = (MemorySegment) arguments[1];
            final String host = source.address() == 0
                ? null : SocketAddresses.describe(source.reinterpret(sockaddr_storage.sizeof()));
            sources.add(host == null ? null : host.substring(0, host.lastIndexOf(':')));
            resolve(segment(arguments[0], rdma_cm_id.sizeof()));
            return 0;
        });
        libraries.answer("rdma_init_qp_attr", arguments -> {
            final MemorySegment attributes = segment(arguments[1], ibv_qp_attr.sizeof());
            int mask = rdma_constants.IBV_QP_STATE();
            if (ibv_qp_attr.qp_state(attributes) == rdma_constants.IBV_QPS_INIT()) {
                ibv_qp_attr.port_num(attributes, (byte) routedPort);
                mask |= rdma_constants.IBV_QP_PORT() | rdma_constants.IBV_QP_PKEY_INDEX();
            } else if (ibv_qp_attr.qp_state(attributes) == rdma_constants.IBV_QPS_RTR()) {
                final MemorySegment path = ibv_qp_attr.ah_attr(attributes);
                ibv_ah_attr.port_num(path, (byte) routedPort);
                ibv_ah_attr.is_global(path, (byte) 1);
                ibv_global_route.sgid_index(ibv_ah_attr.grh(path), (byte) routedGid);
                mask |= rdma_constants.IBV_QP_AV();
            }
            segment(arguments[2], Integer.BYTES).set(ValueLayout.JAVA_INT, 0, mask);
            return 0;
        });
    }

    private void resolve(final MemorySegment id) {
        rdma_cm_id.port_num(id, (byte) routedPort);
        final MemorySegment address = rdma_addr.addr.ibaddr(
            rdma_addr.addr(rdma_route.addr(rdma_cm_id.route(id))));
        final byte[] gid = GidText.parse(gids.get(routedGid));
        MemorySegment.copy(gid, 0, rdma_ib_addr.sgid(address), ValueLayout.JAVA_BYTE, 0, gid.length);
    }

    private Connection connect(final String peer) {
        return manager.device.connect(peer, manager.newQueuePair(), NOTHING, Long.MAX_VALUE);
    }

    private Connection established(final String peer) {
        final Connection connection = connect(peer);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), manager.ids.getLast());
        assertEquals(Connection.State.ESTABLISHED, connection.poll(), connection.problem());
        return connection;
    }

    /** A data link's, in INIT. */
    private ReliableQueuePair newQueuePair(final SourceAddress source) {
        final ReliableQueuePair queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0)
                .withSourceAddress(source));
        queuePair.initialise(0);
        return queuePair;
    }

    /** The text alone shows which of both ends has moved. */
    @Test
    void shouldTellFromWhichAddressToWhichAQueuePairCannotBeConnected() {
        open();
        final ReliableQueuePair queuePair = newQueuePair(SourceAddress.ANY);
        manager.refuse(rdma_constants.IBV_QPS_RTR(), ENODATA);

        final VerbsException e =
            assertThrows(VerbsException.class, () -> queuePair.readyToReceive(remote()));

        final int index = transitions.getLast().gidIndex();
        assertEquals("ibv_modify_qp: the queue pair does not change its state: device " + ScriptedManager.DEVICE
            + " port 1 gid " + index + " ::ffff:" + gids.get(index) + " to gid ::ffff:10.88.0.2 (errno=61 ENODATA)",
            e.getMessage());
    }

    /** The table is read again for the text: an address may have gone since the index was chosen. */
    @Test
    void shouldTellThatTheAddressOfAQueuePairThatCannotBeConnectedIsGone() {
        open();
        final ReliableQueuePair queuePair = newQueuePair(SourceAddress.ANY);
        manager.refuse(rdma_constants.IBV_QPS_RTR(), ENODATA);
        final var modify = manager.libraries.answer("ibv_modify_qp");
        manager.libraries.answer("ibv_modify_qp", arguments -> {
            gids.clear();
            return modify.call(arguments);
        });

        final VerbsException e =
            assertThrows(VerbsException.class, () -> queuePair.readyToReceive(remote()));

        assertTrue(e.getMessage().contains(" (none) to gid ::ffff:10.88.0.2 (errno=61 ENODATA)"), e.getMessage());
    }

    private static byte[] remote() {
        return new PeerAddress(1, 1, 0, 3, true, GidText.parse("10.88.0.2")).encode();
    }

    private static String gidOf(final ReliableQueuePair queuePair) {
        return GidText.of(PeerAddress.decode(queuePair.localAddress()).gid());
    }

    private Connection.State afterResolution(final Connection connection) {
        manager.deliver(rdma_constants.RDMA_CM_EVENT_ADDR_RESOLVED(), manager.ids.getLast());
        return connection.poll();
    }

    @Test
    void shouldLeaveFromTheAddressThatTheRouteNames() {
        open();
        final Connection connection = established(PEER);

        assertEquals(List.of(SECOND), sources);
        assertEquals("::ffff:" + SECOND, connection.sourceAddress().gid());
    }

    @Test
    void shouldLeaveFromAGlobalIpv6AddressWhereTheRouteDoes() {
        routed = InetAddress.ofLiteral("fd01::1");
        routedGid = 3;
        open();

        assertEquals("fd01:0:0:0:0:0:0:1", established("[fd02::2]:40123").sourceAddress().gid());
        assertEquals(List.of("[fd01:0:0:0:0:0:0:1]"), sources);
    }

    @Test
    void shouldLeaveFromALinkLocalAddressWithItsZoneWhereThePeerIsOne() {
        routed = InetAddress.ofLiteral("fe80::1%7");
        routedGid = 0;
        open();

        assertEquals("fe80:0:0:0:0:0:0:1", established("[fe80::2%7]:40123").sourceAddress().gid());
        assertEquals(List.of("[fe80:0:0:0:0:0:0:1%7]"), sources);
    }

    @Test
    void shouldMakeDataLinksReadyWithTheAddressOfTheirConnection() {
        open();
        final ReliableQueuePair queuePair = newQueuePair(established(PEER).sourceAddress());

        queuePair.readyToReceive(remote());

        assertEquals("::ffff:" + SECOND, gidOf(queuePair));
        assertEquals(new Transition(rdma_constants.IBV_QPS_RTR(), 0, 2), transitions.getLast());
    }

    @Test
    void shouldFindTheAddressWhereverInTheTableItHasMoved() {
        open();
        final ReliableQueuePair queuePair = newQueuePair(established(PEER).sourceAddress());
        gids.clear();
        gids.addAll(List.of("fe80::1", "", FIRST, "fd01::1", SECOND));

        queuePair.readyToReceive(remote());

        assertEquals(4, transitions.getLast().gidIndex());
    }

    @Test
    void shouldTellThatTheAddressOfAConnectionIsGone() {
        open();
        final SourceAddress source = established(PEER).sourceAddress();
        gids.set(2, "");

        final VerbsException e = assertThrows(VerbsException.class, () -> newQueuePair(source));

        assertEquals(Remedies.EADDRNOTAVAIL, e.errno());
        assertTrue(e.getMessage().contains("::ffff:" + SECOND), e.getMessage());
    }

    @Test
    void shouldTakeThePortThatTheRouteLeadsThrough() {
        open();
        routedPort = 2;
        final Connection connection = established(PEER);

        assertEquals(2, connection.sourceAddress().port());
        assertTrue(transitions.contains(new Transition(rdma_constants.IBV_QPS_INIT(), 2, 0)), "" + transitions);
        newQueuePair(connection.sourceAddress());
        assertEquals(new Transition(rdma_constants.IBV_QPS_INIT(), 2, 0), transitions.getLast());
    }

    @Test
    void shouldLeaveFromAnAddressOfTheDeviceWhereTheRoutesLeadElsewhere() {
        routed = InetAddress.ofLiteral("192.168.0.1");
        open();
        manager.libraries.answer("rdma_bind_addr", Remedies.ENODEV);

        final Connection connection = connect("10.77.0.2:40123");
        manager.deliver(rdma_constants.RDMA_CM_EVENT_UNREACHABLE(), manager.ids.getLast());

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertEquals(List.of(FIRST), sources);
        assertTrue(connection.problem().startsWith("from device " + ScriptedManager.DEVICE + " at " + FIRST
            + ", although the route leaves from 192.168.0.1, gid ::ffff:" + SECOND + ": "), connection.problem());
    }

    @Test
    void shouldLeaveFromTheGidThatWasAskedFor() {
        open(1, 1);
        routedGid = 1;
        final Connection connection = established("10.77.0.2:40123");

        assertEquals(List.of(FIRST), sources);
        assertEquals(SourceAddress.ANY, connection.sourceAddress());
        assertEquals("::ffff:" + FIRST, gidOf(newQueuePair(connection.sourceAddress())));
    }

    @ParameterizedTest
    @CsvSource({"0, 10.77.0.2:40123", "1, '[fd02::2]:40123'", "0, '[fd02::2]:40123'", "3, '[fe80::2%7]:40123'"})
    void shouldTellThatAGidReachesNoSuchPeer(final int gid, final String peer) {
        open(1, gid);

        final VerbsException e = assertThrows(VerbsException.class, () -> connect(peer));

        assertTrue(e.getMessage().contains("gid=" + gid + " of device "), e.getMessage());
        assertEquals(List.of(), sources);
    }

    @Test
    void shouldTellThatTheRouteContradictsThePortThatWasAskedFor() {
        open(1, RdmaDeviceOptions.BEST_GID);
        routedPort = 2;
        final Connection connection = connect(PEER);

        assertEquals(Connection.State.UNREACHABLE, afterResolution(connection));
        assertTrue(connection.problem().endsWith("the way leads through port 2 of device " + ScriptedManager.DEVICE
            + ", and not through port=1, which was asked for"), connection.problem());
    }

    @Test
    void shouldTellThatTheRouteContradictsTheGidThatWasAskedFor() {
        open(1, 1);
        final Connection connection = connect("10.77.0.2:40123");

        assertEquals(Connection.State.UNREACHABLE, afterResolution(connection));
        assertTrue(connection.problem().endsWith("the way leads through GID ::ffff:" + SECOND + " of device "
            + ScriptedManager.DEVICE + ", and not through gid=1, which was asked for and is ::ffff:" + FIRST),
            connection.problem());
    }

    @Test
    void shouldNotListenAtAnAddressThatIsNotOfTheGidThatWasAskedFor() {
        open(1, 1);

        final VerbsException e =
            assertThrows(VerbsException.class, () -> manager.device.listen(SECOND + ":40123", 1));

        assertTrue(e.getMessage().contains("belongs to GID ::ffff:" + SECOND), e.getMessage());
    }

    @Test
    void shouldListenAtAnyAddressOfTheDevice() {
        open();
        final Listener listener = manager.device.listen(SECOND + ":40123", 1);
        manager.request(manager.ids.getLast());
        resolve(manager.ids.getLast());

        assertEquals("::ffff:" + SECOND,
            listener.poll().accept(manager.newQueuePair(), NOTHING).sourceAddress().gid());
        listener.close();
    }

    /** A manager may be as iWARP's: the queue pair would stay in INIT. */
    @Test
    void shouldNotCallAConnectionEstablishedWhoseQueuePairIsNot() {
        open();
        final ReliableQueuePair queuePair = manager.newQueuePair();
        final Connection connection = manager.device.connect(PEER, queuePair, NOTHING, Long.MAX_VALUE);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_ESTABLISHED(), manager.ids.getLast());

        assertEquals(Connection.State.UNREACHABLE, connection.poll());
        assertEquals(QueuePairState.INIT, queuePair.state());
        assertFalse(connection.problem().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "'fe80::1,fd01::1', 1", "'fe80::1,fd01::1,10.77.0.1', 2", "'fd01::1,fe80::1', 0", "',fe80::1', 1",
        "'10.77.0.1,10.88.0.1', 0"})
    void shouldTakeAnAddressThatReachesFurthestWhereNothingElseDecides(final String table, final int index) {
        gids.clear();
        gids.addAll(Arrays.asList(table.split(",")));
        routedGid = 0;
        open();

        assertEquals(index, manager.device.context().ports().last().gidIndex());
        assertArrayEquals(GidText.parse(gids.get(index)), manager.device.context().ports().last().gid());
    }

    @Test
    void shouldTakeTheLocalAddressWhereItIsKnown() {
        manager = new ScriptedManager(
            new Routes(), RdmaDeviceOptions.DEFAULT.withLocalAddress(SECOND), this::script);

        assertEquals(2, manager.device.context().ports().last().gidIndex());
    }

    @Test
    void shouldAskTheConnectionManagerWhoseAnAddressIs() {
        open();

        assertEquals(ScriptedManager.DEVICE, AddressOwner.find(manager.libraries.verbs(), SECOND));
        manager.libraries.answer("rdma_bind_addr", Remedies.ENODEV);
        assertEquals("", AddressOwner.find(manager.libraries.verbs(), SECOND));
        assertEquals("rdma_destroy_event_channel", manager.libraries.calls.getLast());
        manager.libraries.answer("rdma_create_event_channel", 0);
        assertEquals("", AddressOwner.find(manager.libraries.verbs(), SECOND));
    }
}
