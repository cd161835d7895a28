package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.LibraryVersion;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.PresentLibraries;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages where something is missing: a library, a function of it, a device. */
class MissingRpmaTest {
    private static final int ENODEV = 19;
    private static final int EADDRNOTAVAIL = 99;

    @Test
    void shouldSayWhichPackageBringsTheLibrary() {
        PresentLibraries.assume();

        final VerbsException e = assertThrows(VerbsException.class, () ->
            NativeLibraries.instance().with("librpma-not-there.so.0", RpmaLibrary.PACKAGE, RpmaLibrary.OLDEST));
        assertEquals("dlopen: librpma-not-there.so.0 is not installed: install librpma0 (Debian: apt install librpma0)"
            + " (errno=2 ENOENT)", e.getMessage());
    }

    /** An old library lacks functions, as librpma 1.0 does those of shared receive queues. */
    @ParameterizedTest
    @ValueSource(strings = {"rpma_srq_new", "rpma_cq_get_wc", "rpma_conn_wait", "rpma_log_set_threshold"})
    void shouldSayWhichReleaseOfTheLibraryIsOldEnough(final String function) {
        PresentRpma.require();
        final NativeLibraries real = NativeLibraries.instance()
            .with(RpmaLibrary.SONAME, RpmaLibrary.PACKAGE, RpmaLibrary.OLDEST);
        final NativeLibraries old = new NativeLibraries(name -> Optional.of(name)
            .filter(asked -> !asked.equals(function)).map(real::find), LibraryVersion.UNKNOWN);

        assertEquals(function,
            assertThrows(VerbsException.class, () -> new RpmaLibrary(old)).getMessage().split(":")[0]);
        final VerbsException e = assertThrows(VerbsException.class, () -> real.find("rpma_not_there"));
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().startsWith("rpma_not_there: librpma.so.0 has no such function: install librpma 1.2"
            + " or later"), e.getMessage());
    }

    private static void assumeNoDevice() {
        PresentRpma.require();
        assumeTrue(DeviceFolder.names().isEmpty(), "there is a device");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1"})
    void shouldSayThatThereIsNoDeviceWithAnAddress(final String address) {
        assumeNoDevice();

        final RpmaException e = assertThrows(RpmaException.class,
            () -> RpmaPeer.ofLocalAddress(SystemEnvironment.instance(), address));
        assertEquals(RpmaError.E_PROVIDER, e.code());
        assertEquals(ENODEV, e.errno());
        assertTrue(e.getMessage().startsWith(
            "rpma_utils_get_ibv_context: no RDMA device with address=" + address + ": rdma_"), e.getMessage());
        assertTrue(e.getMessage().contains(": this machine's kernel has no RDMA device; load the driver of the"
            + " adapter, or rdma_rxe for a software one"), e.getMessage());
    }

    @Test
    void shouldSayThatNoDeviceLeadsToAnAddress() {
        assumeNoDevice();

        final RpmaException e = assertThrows(RpmaException.class,
            () -> RpmaPeer.ofRemoteAddress(SystemEnvironment.instance(), "127.0.0.1"));
        assertTrue(e.getMessage().startsWith(
            "rpma_utils_get_ibv_context: no RDMA device that leads to address=127.0.0.1: "), e.getMessage());
        assertTrue(e.getMessage().contains("load the driver of the adapter"), e.getMessage());
    }

    @Test
    void shouldSayThatThereIsNoDeviceOfAName() {
        assumeNoDevice();

        final VerbsException e = assertThrows(VerbsException.class,
            () -> RpmaPeer.ofDevice(SystemEnvironment.instance(), "nope"));
        assertEquals(ENODEV, e.errno());
        assertTrue(e.getMessage().contains("this machine's kernel has no RDMA device; load the driver of the adapter"),
            e.getMessage());
    }

    /** The error numbers of a missing device, which is there. */
    @ParameterizedTest
    @CsvSource({
        "rdma_bind_addr(addr=10.0.0.9), 19, the address is not that of an RDMA device",
        "rdma_bind_addr(addr=10.0.0.9), 99, the address is none of this machine",
        "rdma_bind_addr(addr=10.0.0.9), 13, ports below 1024 need CAP_NET_BIND_SERVICE",
        "rdma_resolve_addr(dst_addr=10.0.0.9), 19, no RDMA device of this machine leads to the address",
        "rdma_resolve_addr(dst_addr=10.0.0.9), 110, ': nobody has the address, or its machine does not answer ('"
    })
    void shouldNotBlameADeviceForAnAddress(final String call, final int errno, final String clause) {
        try (ScriptedRpma rpma = new ScriptedRpma()) {
            rpma.fail("rpma_utils_get_ibv_context", RpmaError.E_PROVIDER,
                call + " failed: " + LogCall.errorText(errno));

            final RpmaException e = assertThrows(RpmaException.class, () -> RpmaPeer.ofAddress(
                rpma.library, SystemEnvironment.instance(), "10.0.0.9", RpmaPeer.LOCAL));
            assertEquals(errno, e.errno());
            assertTrue(e.getMessage().startsWith(
                "rpma_utils_get_ibv_context: no RDMA device with address=10.0.0.9: " + call + " failed: "),
                e.getMessage());
            assertTrue(e.getMessage().contains(clause), e.getMessage());
        }
    }

    @Test
    void shouldSayThatAPortIsTaken() {
        try (ScriptedRpma rpma = new ScriptedRpma()) {
            rpma.fail("rpma_ep_listen", RpmaError.E_PROVIDER,
                "rdma_bind_addr(addr=(null)) failed: " + LogCall.errorText(Errno.EADDRINUSE));
            assertEquals(Errno.EADDRINUSE,
                assertThrows(RpmaException.class, () -> rpma.peer.listen("10.0.0.1", "7204")).errno());

            rpma.fail("rpma_ep_listen", RpmaError.E_PROVIDER,
                "rdma_bind_addr(addr=(null)) failed: " + LogCall.errorText(EADDRNOTAVAIL));
            assertTrue(assertThrows(RpmaException.class, () -> rpma.peer.listen("10.0.0.1", "7204")).getMessage()
                .contains("use an address that ./sluice devices lists, or another port"));
        }
    }

    @Test
    void shouldFindTheDeviceOfAnAddress() {
        try (ScriptedRpma rpma = new ScriptedRpma()) {
            rpma.answer("rpma_utils_get_ibv_context", call -> {
                assertEquals("10.0.0.9", ((MemorySegment) call[0]).reinterpret(16).getString(0));
                ScriptedRpma.write(call[2], ScriptedRpma.CONTEXT);
                return 0;
            });
            for (final int type : new int[] {RpmaPeer.LOCAL, RpmaPeer.REMOTE}) {
                rpma.arguments.clear();
                RpmaPeer.ofAddress(rpma.library, SystemEnvironment.instance(), "10.0.0.9", type).close();
                assertEquals(type, rpma.argumentsOf("rpma_utils_get_ibv_context").get(1));
                assertEquals(ScriptedRpma.CONTEXT, rpma.argumentsOf("rpma_peer_new").getFirst());
            }
        }
    }

    /** The address of any interface is bound without a device. */
    @Test
    void shouldRefuseAnAddressThatIsNotThatOfOneDevice() {
        try (ScriptedRpma rpma = new ScriptedRpma()) {
            final RpmaException e = assertThrows(RpmaException.class, () -> RpmaPeer.ofAddress(
                rpma.library, SystemEnvironment.instance(), "0.0.0.0", RpmaPeer.LOCAL));
            assertTrue(e.getMessage().contains("address=0.0.0.0: it is not that of one device; use one that ./sluice"
                + " devices lists"), e.getMessage());
        }
    }
}
