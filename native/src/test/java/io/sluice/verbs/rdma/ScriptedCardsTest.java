package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_async_event;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_cap;
import io.sluice.verbs.rdma.generated.ibv_qp_init_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lacks and ways of single cards, each as rdma-core's provider of it was read, by a script. */
class ScriptedCardsTest {
    private static final byte[] GID = GidText.parse("fe80::5054:ff:fe12:3456");
    private static final RdmaDeviceOptions BUILDER = new RdmaDeviceOptions("", RdmaDeviceOptions.ANY_PORT,
        RdmaDeviceOptions.BEST_GID, CompletionInterface.AUTO, PostingInterface.BUILDER);
    private static final int LID = 9;
    private static final int INFINIBAND = rdma_constants.IBV_LINK_LAYER_INFINIBAND();
    private static final int GRH_REQUIRED = 1;
    private static final byte[] PEER_GID = GidText.parse("fe80::5054:ff:fe12:3457");
    private static final int GID_INDEX = 3;
    private static final int HOP_LIMIT = 64;
    private static final int EIO = 5;
    /** Longer than the time between two examinations. */
    private static final long ROUND_NS = 20_000_000;
    private static final long PATIENCE_NS = 2_000_000;

    private final StoppedClock clock = new StoppedClock();
    private final List<AsyncEventType> told = new ArrayList<>();
    private ScriptedManager manager;

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

    private void open(final Consumer<ScriptedLibraries> script) {
        manager = new ScriptedManager(clock, RdmaDeviceOptions.DEFAULT, script);
    }

    private static Consumer<ScriptedLibraries> vendor(final int vendor) {
        return libraries -> {
            final var device = libraries.answer("ibv_query_device");
            libraries.answer("ibv_query_device", arguments -> {
                device.call(arguments);
                ibv_device_attr.vendor_id(segment(arguments[1], ibv_device_attr.sizeof()), vendor);
                return 0;
            });
        };
    }

    /**
     * All posts are plain on hns and an unknown card, those of sends on soft-RoCE: as long as one takes, no safepoint
     * waits for it.
     */
    @ParameterizedTest
    @CsvSource({"0x2c9, true, true", "0, false, false", "0xffffff, false, true", "0x19e5, false, false"})
    void shouldWaitForCriticalPostsOnlyAndNotForLongWhenAQueuePairIsFailed(
        final String vendor, final boolean waitsForSend, final boolean waitsForReceive) {
        final AtomicLong parkedNs = new AtomicLong();
        manager = new ScriptedManager(new ForwardingEnvironment(SystemEnvironment.instance()) {
            @Override
            public long nanoTime() {
                return parkedNs.get();
            }

            @Override
            public void park(final long durationNs) {
                parkedNs.addAndGet(durationNs);
            }
        }, RdmaDeviceOptions.DEFAULT, vendor(Integer.decode(vendor)));
        for (final boolean isSend : List.of(true, false)) {
            final ReliableQueuePair queuePair = manager.newQueuePair();
            final Guard guard = isSend ? queuePair.sendGuard : queuePair.postGuards().toList().getLast();
            final long beforeNs = parkedNs.get();
            guard.enter();

            queuePair.fail();

            guard.leave();
            assertEquals(QueuePairState.ERROR, queuePair.state());
            assertEquals((isSend ? waitsForSend : waitsForReceive) ? PATIENCE_NS : 0,
                parkedNs.get() - beforeNs);
        }
    }

    /** Old kernels tell 0 of mana, and of soft-RoCE, whose adapter may be of any vendor. */
    @ParameterizedTest
    @CsvSource({"0, 0x1414, 0x1414", "0, 0x8086, 0", "0, , 0", "0x2c9, 0x1414, 0x2c9", "0x1414, , 0x1414"})
    void shouldKnowManaByItsAdapterWhereNoVendorIsTold(
        final String told, final String adapter, final String known, @TempDir final Path root) throws IOException {
        if (adapter != null) {
            final Path folder = Files.createDirectories(root.resolve(ScriptedManager.DEVICE).resolve("device"));
            Files.writeString(folder.resolve("vendor"), adapter + "\n");
        }
        open(vendor(Integer.decode(told)).andThen(libraries ->
            libraries.folders = name -> new DeviceFolder(root.resolve(name), root)));

        final DeviceContext context = manager.device.context();
        final boolean isMana = "0x1414".equals(known);
        assertEquals(Integer.decode(known), context.vendor().number());
        assertEquals(isMana, context.vendor().losesRepeatedArming());
        assertEquals(isMana, context.posting().describe().contains("on mana"), context.posting().describe());
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    /** Queue pairs are made with so many inline bytes and no more. */
    private static Consumer<ScriptedLibraries> inlineLimit(final int limit) {
        return libraries -> {
            final var create = libraries.answer("ibv_create_qp");
            libraries.answer("ibv_create_qp", arguments -> ibv_qp_cap.max_inline_data(
                ibv_qp_init_attr.cap(segment(arguments[1], ibv_qp_init_attr.sizeof()))) > limit
                    ? 0L : create.call(arguments));
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 60, 102, 128, 220, 956})
    void shouldFindTheLargestInlineRange(final int limit) {
        open(inlineLimit(limit));
        assertEquals(limit, manager.device.attributes().maxInlineData());
    }

    /** A device may grant any, as mana does, which then sends what the buffer has when the device comes to it. */
    @Test
    void shouldNotBelieveADeviceThatGrantsAnyInlineRange() {
        open(inlineLimit(Integer.MAX_VALUE));
        assertEquals(0, manager.device.attributes().maxInlineData());
    }

    /** A port of a link layer, with a GID and a local identifier. */
    private static Consumer<ScriptedLibraries> port(final int linkLayer, final int lid, final int flags) {
        return libraries -> {
            final var port = libraries.answer("ibv_query_port");
            libraries.answer("ibv_query_port", arguments -> {
                port.call(arguments);
                final MemorySegment attributes = segment(arguments[2], ibv_port_attr.sizeof());
                ibv_port_attr.link_layer(attributes, (byte) linkLayer);
                ibv_port_attr.lid(attributes, (short) lid);
                ibv_port_attr.flags(attributes, (byte) flags);
                ibv_port_attr.gid_tbl_len(attributes, 1);
                return 0;
            });
            libraries.answer("ibv_query_gid", arguments -> {
                MemorySegment.copy(GID, 0, segment(arguments[3], GID.length), ValueLayout.JAVA_BYTE, 0, GID.length);
                return 0;
            });
        };
    }

    /** A device may be as efa is: datagrams only, and neither InfiniBand nor Ethernet. */
    @Test
    void shouldOpenADeviceWithDatagramsOnlyAndRefuseConnectedQueuePairsByName() {
        final Consumer<ScriptedLibraries> datagramsOnly = libraries -> {
            final var create = libraries.answer("ibv_create_qp");
            libraries.answer("ibv_create_qp", arguments ->
                ibv_qp_init_attr.qp_type(segment(arguments[1], ibv_qp_init_attr.sizeof()))
                    == rdma_constants.IBV_QPT_RC() ? 0L : create.call(arguments));
        };
        open(datagramsOnly.andThen(port(rdma_constants.IBV_LINK_LAYER_UNSPECIFIED(), 0, 0)));

        assertFalse(manager.device.attributes().reliableConnected());
        assertTrue(manager.device.attributes().maxDatagramLength() > 0);
        assertEquals(AddressHandleAttributes.toGid(GID), manager.device.portAddress());
        final VerbsException e = assertThrows(VerbsException.class, () -> manager.newQueuePair());
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().contains("scripted_0 makes no reliable connected queue pairs"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {DeviceVendor.EFA, DeviceVendor.IONIC})
    void shouldNotBuildRequestsWhereThatHoldsALockThatPollsTake(final int vendor) {
        final VerbsException e = assertThrows(VerbsException.class, () -> new ScriptedManager(
            SystemEnvironment.instance(), BUILDER,
            vendor(vendor)) {
                @Override
                MemorySegment context() {
                    final MemorySegment inner = super.context();
                    final MemorySegment whole = MemorySegment.ofAddress(
                        inner.address() - verbs_context.context$offset()).reinterpret(verbs_context.sizeof());
                    verbs_context.create_qp_ex(whole, libraries.find("ibv_close_device").orElseThrow());
                    return inner;
                }
            });
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().contains("holds a lock while a request is built"), e.getMessage());
    }

    /**
     * Virtual functions of mlx5 on InfiniBand ask for a header, in what comes to them as in what they send: without it
     * the path connects, and delivers nothing.
     */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void shouldRouteGloballyWhereThePortOfEitherEndAsksForIt(final boolean isAsked, final boolean isPeerAsking) {
        final List<MemorySegment> paths = new ArrayList<>();
        final RdmaDeviceOptions options = new RdmaDeviceOptions(
            "", 1, GID_INDEX, CompletionInterface.AUTO, PostingInterface.WORK_REQUESTS);
        final int flags = isAsked ? GRH_REQUIRED : 0;
        manager = new ScriptedManager(clock, options, port(INFINIBAND, LID, flags).andThen(libraries -> {
            final var modify = libraries.answer("ibv_modify_qp");
            libraries.answer("ibv_modify_qp", arguments -> {
                final MemorySegment attributes = segment(arguments[1], ibv_qp_attr.sizeof());
                if (ibv_qp_attr.qp_state(attributes) == rdma_constants.IBV_QPS_RTR()) {
                    paths.add(libraries.arena.allocate(ibv_ah_attr.sizeof()).copyFrom(ibv_qp_attr.ah_attr(attributes)));
                }
                return modify.call(arguments);
            });
        }));
        final ReliableQueuePair queuePair = manager.newQueuePair();
        queuePair.readyToReceive(new PeerAddress(1, 1, LID + 1, 3, isPeerAsking, PEER_GID).encode());

        final MemorySegment path = paths.getFirst();
        assertEquals(isAsked || isPeerAsking ? 1 : 0, ibv_ah_attr.is_global(path));
        assertEquals(LID + 1, ibv_ah_attr.dlid(path));
        if (isAsked || isPeerAsking) {
            final MemorySegment route = ibv_ah_attr.grh(path);
            assertArrayEquals(PEER_GID, ibv_global_route.dgid(route).toArray(ValueLayout.JAVA_BYTE));
            assertEquals(GID_INDEX, ibv_global_route.sgid_index(route));
            assertEquals(HOP_LIMIT, ibv_global_route.hop_limit(route));
        }
        final PeerAddress told = PeerAddress.decode(queuePair.localAddress());
        assertEquals(isAsked, told.isGlobal());
        assertArrayEquals(GID, told.gid());
        assertEquals(isAsked ? AddressHandleAttributes.toGid(GID, LID) : AddressHandleAttributes.toLid(LID),
            manager.device.portAddress());
    }

    private void poll() {
        manager.device.poll((type, queue, queuePair) -> told.add(type));
    }

    private void raise(final int type, final long element) {
        final long[] elements = {element};
        manager.libraries.answer("ibv_get_async_event", arguments -> {
            if (elements[0] == 0) {
                return -1;
            }
            final MemorySegment event = segment(arguments[1], ibv_async_event.sizeof());
            ibv_async_event.event_type(event, type);
            UnsafeApi.putLong(event.address() + ibv_async_event.element$offset(), elements[0]);
            elements[0] = 0;
            return 0;
        });
        SystemCalls.signal(UnsafeApi.getInt(manager.device.context().address() + ibv_context.async_fd$offset()));
    }

    /** A device may be as mana, which has no ibv_query_qp(3). */
    @Test
    void shouldTakeAFatalEventForTheErrorStateWhereTheDeviceCannotBeAsked() {
        open(libraries -> libraries.answer("ibv_query_qp", Errno.EOPNOTSUPP));
        final List<Integer> fatal = List.of(rdma_constants.IBV_EVENT_QP_FATAL(),
            rdma_constants.IBV_EVENT_QP_REQ_ERR(), rdma_constants.IBV_EVENT_QP_ACCESS_ERR());
        for (final int type : fatal) {
            final ReliableQueuePair queuePair = manager.newQueuePair();
            poll();
            assertEquals(QueuePairState.INIT, queuePair.state());
            raise(type, queuePair.handle());
            poll();
            assertEquals(QueuePairState.ERROR, queuePair.state());
        }
        assertEquals(fatal.size(), told.size());
        final ReliableQueuePair other = manager.newQueuePair();
        raise(rdma_constants.IBV_EVENT_COMM_EST(), other.handle());
        poll();
        assertEquals(QueuePairState.INIT, other.state());
    }

    @Test
    void shouldTellThatADeviceDoesNotTellTheStateOfAQueuePair() {
        open(libraries -> libraries.answer("ibv_query_qp", EIO));
        manager.newQueuePair();
        clock.nowNs += ROUND_NS;
        final VerbsException e = assertThrows(VerbsException.class, this::poll);
        assertEquals(EIO, e.errno());
        assertTrue(e.getMessage().contains("ibv_query_qp"), e.getMessage());
    }
}
