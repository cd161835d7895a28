package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.rdma.generated.ibv_ah_attr;
import io.sluice.verbs.rdma.generated.ibv_global_route;
import io.sluice.verbs.rdma.generated.ibv_qp_ex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a device is given to post datagrams and create address handles, and what its answers become. */
class ScriptedDatagramTest {
    private static final int CAPACITY = 5;
    private static final int MAX_INLINE = 64;
    private static final byte[] OWN_GID = new byte[16];
    private static final byte[] PEER_GID = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 2};

    private ScriptedQueuePair device;

    @BeforeEach
    void script() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        device = new ScriptedQueuePair();
        device.isDatagram = true;
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    private DatagramWork requests(final boolean isSystemCall) {
        return new DatagramWork(device.sendFunction(), device.address(), MAX_INLINE, isSystemCall);
    }

    private DatagramBuilder builder(final boolean isSystemCall) {
        return new DatagramBuilder(device.address(), MAX_INLINE, isSystemCall, new SendLedger(CAPACITY, true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFillInARequest(final boolean isSystemCall) {
        final DatagramPoster work = requests(isSystemCall);

        assertEquals(Errno.OK, work.post(
            SendPoster.SEND_WITH_IMM, 7, WorkFlags.SIGNALED, 100, 1, 32, 5000, 17, -2, 0x0102_0304));
        assertEquals(Errno.OK, work.post(SendPoster.SEND, 8, WorkFlags.NONE, 101, 3, 33, 6000, 18, 9, 0));
        assertEquals(Errno.OK, work.post(SendPoster.SEND, 9, WorkFlags.NONE, 0, 0, 0, 6000, 19, 9, 0));

        assertEquals(List.of(
            "post id=7 opcode=3 flags=2 imm=4030201 by=5000 to=17/-2 from=100/1+32",
            "post id=8 opcode=2 flags=0 imm=0 by=6000 to=18/9 from=101/3+33",
            "post id=9 opcode=2 flags=0 imm=0 by=6000 to=19/9"), device.calls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBuildARequestCallByCall(final boolean isSystemCall) {
        final DatagramPoster poster = builder(isSystemCall);

        poster.post(SendPoster.SEND_WITH_IMM, 7, WorkFlags.SIGNALED, 100, 1, 32, 5000, 17, -2, 0x0102_0304);
        poster.post(SendPoster.SEND, 8, WorkFlags.INLINE, 100, 1, 8, 6000, 18, 9, 0);
        poster.post(SendPoster.SEND, 9, WorkFlags.NONE, 100, 1, 0, 6000, 19, 9, 0);

        assertEquals(List.of(
            "start", "send imm=4030201", "by=5000 to=17/-2", "from=100/1+32", "complete id=7 flags=2",
            "start", "send", "by=6000 to=18/9", "inline=100+8", "complete id=8 flags=8",
            "start", "send", "by=6000 to=19/9", "from=100/1+0", "complete id=9 flags=0"), device.calls);
    }

    @Test
    void shouldRefuseLengthsThatNoDeviceIsAskedFor() {
        for (final DatagramPoster poster : List.of(requests(false), builder(false))) {
            assertEquals(Errno.EINVAL, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, -1, 1, 1, 1, 0));
            assertEquals(Errno.EINVAL,
                poster.post(SendPoster.SEND, 1, WorkFlags.INLINE, 0, 0, MAX_INLINE + 1, 1, 1, 1, 0));
        }
        assertTrue(device.calls.isEmpty());
    }

    @Test
    void shouldHandOnWhatTheDeviceAnswers() {
        for (final DatagramPoster poster : List.of(requests(true), requests(false), builder(true), builder(false))) {
            device.result = Errno.ENOMEM;
            assertEquals(Errno.ENOMEM, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 1, 1, 1, 0));
            device.result = -Errno.ENOMEM;
            assertEquals(Errno.ENOMEM, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 1, 1, 1, 0));
            device.result = -1;
            assertEquals(ProviderErrno.EIO, poster.post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 1, 1, 1, 0));
        }
    }

    @Test
    void shouldTellThatTheSendQueueIsFullByOneName() {
        device.result = 28;

        assertEquals(Errno.ENOMEM, builder(true).post(SendPoster.SEND, 1, WorkFlags.NONE, 0, 0, 8, 1, 1, 1, 0));
    }

    @Test
    void shouldRefuseABuilderThatLacksTheAddress() {
        ibv_qp_ex.wr_set_ud_addr(MemorySegment.ofAddress(device.address()).reinterpret(ibv_qp_ex.sizeof()),
            MemorySegment.NULL);

        assertThrows(IllegalStateException.class, () -> builder(false));
    }

    @Test
    void shouldTellAPathWithAGlobalRoute() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment path = AddressHandles.encode(arena,
                new AddressHandleAttributes(PEER_GID, 0xf_fff1, 200, 255, 254, 0, 3, 5, 6, 0),
                new VerbsPort(2, true, true, 0, 3, 7, OWN_GID, 0));

            assertEquals(1, ibv_ah_attr.is_global(path));
            assertEquals(2, ibv_ah_attr.port_num(path));
            assertEquals(3, ibv_ah_attr.sl(path));
            assertEquals(5, ibv_ah_attr.src_path_bits(path));
            assertEquals(6, ibv_ah_attr.static_rate(path));
            final MemorySegment route = ibv_ah_attr.grh(path);
            assertArrayEquals(PEER_GID, ibv_global_route.dgid(route).toArray(ValueLayout.JAVA_BYTE));
            assertEquals(0xf_fff1, ibv_global_route.flow_label(route));
            assertEquals((byte) 200, ibv_global_route.sgid_index(route));
            assertEquals((byte) 255, ibv_global_route.hop_limit(route));
            assertEquals((byte) 254, ibv_global_route.traffic_class(route));
        }
    }

    @Test
    void shouldTakeTheGidThatTheDeviceIsReachedBy() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment path = AddressHandles.encode(
                arena, AddressHandleAttributes.toGid(PEER_GID), new VerbsPort(1, true, true, 0, 3, 7, OWN_GID, 0));

            assertEquals(7, ibv_global_route.sgid_index(ibv_ah_attr.grh(path)));
            assertEquals(64, ibv_global_route.hop_limit(ibv_ah_attr.grh(path)));
        }
    }

    @Test
    void shouldTellAPathWithinASubnet() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment path = AddressHandles.encode(
                arena, AddressHandleAttributes.toLid(0xfffe), new VerbsPort(1, false, false, 9, 5, 0, OWN_GID, 0));

            assertEquals(0, ibv_ah_attr.is_global(path));
            assertEquals((short) 0xfffe, ibv_ah_attr.dlid(path));
            assertEquals(1, ibv_ah_attr.port_num(path));
        }
    }
}
