package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Connection;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ports whose identifiers, tables and packet lengths change while a device is open, by a script. */
class ScriptedChangesTest {
    private static final byte[] NOTHING = {};
    private static final String OWN = "10.77.0.1";
    private static final String ADDRESS = OWN + ":40123";
    private static final String PEER = "10.77.0.2:40123";
    private static final int PORTS = 2;
    private static final int MTU_256 = 1;
    private static final int MTU_1024 = 3;
    private static final int MTU_4096 = 5;
    private static final int DEFAULT_KEY = 0xffff;
    private static final int KEY = 0x8005;

    private final List<String> gids = new ArrayList<>(List.of("fe80::1", OWN));
    private final List<String> gidsOfSecond = new ArrayList<>(List.of("fe80::2"));
    private final List<Integer> partitionKeys = new ArrayList<>(List.of(DEFAULT_KEY, KEY));
    private final List<Transition> transitions = new ArrayList<>();
    private int linkLayer = rdma_constants.IBV_LINK_LAYER_INFINIBAND();
    private int lid = 7;
    private int mtu = MTU_4096;
    private int routedPartition = 1;
    private ScriptedManager manager;

    private record Transition(int state, int mask, int partitionIndex, int mtu) {
        boolean sets(final int attribute) {
            return (mask & attribute) != 0;
        }
    }

    @BeforeEach
    void open() {
        PresentLibraries.assume();
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
    }

    private void open(final int gidIndex) {
        manager = new ScriptedManager(SystemEnvironment.instance(), new RdmaDeviceOptions(ScriptedManager.DEVICE,
            RdmaDeviceOptions.ANY_PORT, gidIndex, CompletionInterface.AUTO, PostingInterface.WORK_REQUESTS),
            this::script);
    }

    private void openAny() {
        open(RdmaDeviceOptions.BEST_GID);
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    private List<String> gidsOf(final Object port) {
        return (byte) port == 1 ? gids : gidsOfSecond;
    }

    private void script(final ScriptedLibraries libraries) {
        final var device = libraries.answer("ibv_query_device");
        libraries.answer("ibv_query_device", arguments -> {
            device.call(arguments);
            ibv_device_attr.phys_port_cnt(segment(arguments[1], ibv_device_attr.sizeof()), (byte) PORTS);
            return 0;
        });
        libraries.answer("ibv_query_port", arguments -> {
            final MemorySegment port = segment(arguments[2], ibv_port_attr.sizeof());
            ibv_port_attr.state(port, rdma_constants.IBV_PORT_ACTIVE());
            ibv_port_attr.link_layer(port, (byte) linkLayer);
            ibv_port_attr.active_mtu(port, mtu);
            ibv_port_attr.lid(port, (short) lid);
            ibv_port_attr.gid_tbl_len(port, gidsOf(arguments[1]).size());
            ibv_port_attr.pkey_tbl_len(port, (short) partitionKeys.size());
            return 0;
        });
        libraries.answer("ibv_query_gid", arguments -> {
            final String gid = gidsOf(arguments[1]).get((int) arguments[2]);
            final byte[] bytes = gid.isEmpty() ? new byte[PeerAddress.GID_LENGTH] : GidText.parse(gid);
            MemorySegment.copy(bytes, 0, segment(arguments[3], bytes.length), ValueLayout.JAVA_BYTE, 0, bytes.length);
            return 0;
        });
        libraries.answer("ibv_query_pkey", arguments -> {
            final int index = (int) arguments[2];
            if (index >= partitionKeys.size()) {
                return -1;
            }
            segment(arguments[3], Short.BYTES).set(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 0,
                partitionKeys.get(index).shortValue());
            return 0;
        });
        scriptQueuePairs(libraries);
    }

    private void scriptQueuePairs(final ScriptedLibraries libraries) {
        final var modify = libraries.answer("ibv_modify_qp");
        libraries.answer("ibv_modify_qp", arguments -> {
            final MemorySegment attributes = segment(arguments[1], ibv_qp_attr.sizeof());
            transitions.add(new Transition(ibv_qp_attr.qp_state(attributes), (int) arguments[2],
                ibv_qp_attr.pkey_index(attributes), ibv_qp_attr.path_mtu(attributes)));
            return modify.call(arguments);
        });
        libraries.answer("rdma_init_qp_attr", arguments -> {
            final MemorySegment attributes = segment(arguments[1], ibv_qp_attr.sizeof());
            ibv_qp_attr.port_num(attributes, (byte) 1);
            ibv_qp_attr.pkey_index(attributes, (short) routedPartition);
            final int state = ibv_qp_attr.qp_state(attributes);
            ibv_ah_attr.port_num(ibv_qp_attr.ah_attr(attributes), (byte) 1);
            segment(arguments[2], Integer.BYTES).set(ValueLayout.JAVA_INT, 0, rdma_constants.IBV_QP_STATE()
                | (state == rdma_constants.IBV_QPS_INIT()
                ? rdma_constants.IBV_QP_PORT() | rdma_constants.IBV_QP_PKEY_INDEX()
                : state == rdma_constants.IBV_QPS_RTR() ? rdma_constants.IBV_QP_AV() : 0));
            return 0;
        });
    }

    private SourceAddress connected() {
        final Connection connection =
            manager.device.connect(PEER, manager.newQueuePair(), NOTHING, Long.MAX_VALUE);
        manager.deliver(rdma_constants.RDMA_CM_EVENT_CONNECT_RESPONSE(), manager.ids.getLast());
        assertEquals(Connection.State.ESTABLISHED, connection.poll(), connection.problem());
        return connection.sourceAddress();
    }

    /** A data link's, in INIT. */
    private ReliableQueuePair newQueuePair(final SourceAddress source) {
        final ReliableQueuePair queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0)
                .withSourceAddress(source));
        queuePair.initialise(0);
        return queuePair;
    }

    private static byte[] remote(final int peerMtu) {
        return new PeerAddress(1, 1, 9, peerMtu, false, GidText.parse("fe80::9")).encode();
    }

    @Test
    void shouldMakeDataLinksReadyInThePartitionOfTheirConnection() {
        openAny();

        final SourceAddress source = connected();
        newQueuePair(source);

        assertEquals(KEY, source.partitionKey());
        assertTrue(source.describe().endsWith(" of port 1, partition 0x8005"), source.describe());
        assertEquals(rdma_constants.IBV_QPS_INIT(), transitions.getLast().state);
        assertEquals(1, transitions.getLast().partitionIndex);
    }

    @Test
    void shouldFindThePartitionWhereverInTheTableItHasMoved() {
        openAny();
        final SourceAddress source = connected();
        final ReliableQueuePair before = newQueuePair(source);
        partitionKeys.addAll(0, List.of(DEFAULT_KEY, 0x8001));

        before.readyToReceive(remote(MTU_4096));

        assertEquals(3, transitions.getLast().partitionIndex);
        assertTrue(transitions.getLast().sets(rdma_constants.IBV_QP_PKEY_INDEX()));
        final ReliableQueuePair after = newQueuePair(source);
        assertEquals(3, transitions.getLast().partitionIndex);
        after.readyToReceive(remote(MTU_4096));
        assertFalse(transitions.getLast().sets(rdma_constants.IBV_QP_PKEY_INDEX()), "it was told already");
    }

    @ParameterizedTest
    @CsvSource({"0x8006, 0x0005, 1", "0x0005, 0x8006, 0", "0x0005, 0x8005, 1", "0x8005, 0x0005, 0"})
    void shouldTakeTheSameMembershipOfAPartitionBeforeTheOther(
        final String first, final String second, final int index) {
        openAny();
        final SourceAddress source = connected();
        partitionKeys.clear();
        partitionKeys.addAll(List.of(Integer.decode(first), Integer.decode(second)));

        newQueuePair(source);

        assertEquals(index, transitions.getLast().partitionIndex);
    }

    @Test
    void shouldTellThatThePortIsNotInThePartitionAnyMore() {
        openAny();
        final SourceAddress source = connected();
        partitionKeys.set(1, 0x8006);

        final VerbsException e = assertThrows(VerbsException.class, () -> newQueuePair(source));

        assertEquals(Remedies.EADDRNOTAVAIL, e.errno());
        assertTrue(e.getMessage().contains("port 1 of device " + ScriptedManager.DEVICE
            + " is not in partition 0x8005 any more"), e.getMessage());
    }

    @Test
    void shouldTellThatThereIsNoSuchPartition() {
        openAny();

        final PartitionTable partitions = new PartitionTable(
            manager.libraries.verbs(), manager.device.context().address(), ScriptedManager.DEVICE);
        final VerbsException e =
            assertThrows(VerbsException.class, () -> partitions.key(1, partitionKeys.size()));

        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("index=2 is not in the table of partition keys"), e.getMessage());
    }

    /** A port on Ethernet has the default partition only, and nobody is asked. */
    @Test
    void shouldTakeTheFirstPartitionOnEthernet() {
        linkLayer = rdma_constants.IBV_LINK_LAYER_ETHERNET();
        routedPartition = 0;
        openAny();

        final SourceAddress source = connected();
        newQueuePair(source);

        assertEquals(SourceAddress.FIRST_PARTITION, source.partitionKey());
        assertEquals(0, transitions.getLast().partitionIndex);
        assertFalse(manager.libraries.calls.contains("ibv_query_pkey"));
    }

    /** The lowest MTU that either end has had since it told its address is taken: then both take the same. */
    @ParameterizedTest
    @CsvSource({"5, 5, 5, 5", "5, 3, 5, 3", "3, 5, 5, 3", "5, 5, 3, 3", "1, 5, 3, 1"})
    void shouldTakeThePacketLengthOfNowButNoLongerOneThanThePeerWasTold(
        final int told, final int now, final int ofPeer, final int expected) {
        openAny();
        mtu = told;
        final ReliableQueuePair queuePair = newQueuePair(SourceAddress.ANY);
        assertEquals(told, PeerAddress.decode(queuePair.localAddress()).mtu());
        mtu = now;

        queuePair.readyToReceive(remote(ofPeer));

        assertEquals(expected, transitions.getLast().mtu);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldTellPeersTheLidAndPacketLengthOfNow(final boolean isOfConnection) {
        openAny();
        final SourceAddress source = isOfConnection ? connected() : SourceAddress.ANY;
        lid = 8;
        mtu = MTU_256;

        final PeerAddress address = PeerAddress.decode(newQueuePair(source).localAddress());

        assertEquals(8, address.lid());
        assertEquals(MTU_256, address.mtu());
        mtu = MTU_1024;
        assertEquals(MTU_1024, PeerAddress.decode(newQueuePair(source).localAddress()).mtu());
    }

    private Listener listener() {
        linkLayer = rdma_constants.IBV_LINK_LAYER_ETHERNET();
        openAny();
        return manager.device.listen(ADDRESS, 1);
    }

    private int bound() {
        return (int) manager.libraries.calls.stream().filter("rdma_bind_addr"::equals).count();
    }

    @Test
    void shouldListenAnewWhereTheAddressHasMovedTo() {
        final Listener listener = listener();
        final MemorySegment old = manager.ids.getLast();
        manager.request(old);
        gidsOfSecond.add(OWN);
        gids.remove(OWN);

        assertTrue(listener.renew());

        assertEquals(2, bound());
        assertEquals(2, manager.libraries.calls.stream().filter("rdma_listen"::equals).count());
        assertFalse(listener.renew(), "nothing has moved since");
        manager.request(manager.ids.getLast());
        assertNotNull(listener.poll());
        listener.close();
    }

    @Test
    void shouldLeaveAListenerAloneWhoseAddressHasNotMoved() {
        final Listener listener = listener();
        gids.addAll(0, List.of("", "10.88.0.1"));

        assertFalse(listener.renew(), "another index is no other place");
        gids.remove(OWN);
        assertFalse(listener.renew(), "it may come back");
        gids.add(OWN);
        assertFalse(listener.renew());

        assertEquals(1, bound());
        manager.request(manager.ids.getLast());
        assertNotNull(listener.poll());
        listener.close();
        assertFalse(listener.renew());
    }

    @ParameterizedTest
    @CsvSource({"[::]:40123", "0.0.0.0:40123", "'[fe80::1%7]:40123'"})
    void shouldLeaveAListenerAloneThatIsBoundToNoSinglePlace(final String address) {
        gids.add("");
        openAny();
        final Listener listener = manager.device.listen(address, 1);
        gids.remove("fe80::1");
        gids.remove("");
        gidsOfSecond.addAll(List.of("fe80::1", ""));

        assertFalse(listener.renew());

        listener.close();
    }

    @Test
    void shouldTryAgainToListenWhereItCouldNot() {
        final Listener listener = listener();
        gidsOfSecond.add(OWN);
        gids.remove(OWN);
        manager.libraries.answer("rdma_bind_addr", Remedies.EADDRNOTAVAIL);

        assertThrows(VerbsException.class, listener::renew);
        assertNull(listener.poll());
        manager.libraries.answer("rdma_bind_addr", 0);

        assertTrue(listener.renew());
        manager.request(manager.ids.getLast());
        listener.poll().reject(NOTHING);
        listener.close();
        manager.closeObjects();
        manager.device.close();
    }

    @Test
    void shouldGiveTheAddressThatDatagramsReachNow() {
        openAny();
        lid = 9;
        assertEquals(9, manager.device.portAddress().destinationLid());
    }

    @Test
    void shouldLookForTheGidThatAnIndexStandsForNow() {
        linkLayer = rdma_constants.IBV_LINK_LAYER_ETHERNET();
        open(1);
        gids.set(1, "10.88.0.1");

        assertArrayEquals(GidText.parse("10.88.0.1"), manager.device.portAddress().destinationGid());
    }
}
