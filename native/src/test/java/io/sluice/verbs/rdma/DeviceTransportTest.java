package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.rdma.generated.ibv_device;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices of transports that lack what is needed, by a script. */
class DeviceTransportTest {
    private static final String NAME = "siw0";
    private static final int IWARP = 1;

    @BeforeEach
    void assume() {
        PresentLibraries.assume();
    }

    private static long device(final ScriptedLibraries libraries, final int transport) {
        final MemorySegment device = ibv_device.allocate(libraries.arena);
        ibv_device.transport_type(device, transport);
        libraries.answer("ibv_get_device_name", libraries.arena.allocateFrom(NAME).address());
        return device.address();
    }

    @ParameterizedTest
    @CsvSource({"1, it speaks iWARP", "2, it speaks usNIC", "3, it speaks usNIC",
        "-1, transport_type=-1", "17, transport_type=17"})
    void shouldRefuseToOpenByName(final int transport, final String reason) {
        try (ScriptedLibraries libraries = new ScriptedLibraries()) {
            final long device = device(libraries, transport);

            final VerbsException e =
                assertThrows(VerbsException.class, () -> DeviceList.open(libraries.verbs(), device, NAME));

            assertEquals(Errno.EOPNOTSUPP, e.errno());
            assertTrue(e.getMessage().startsWith("ibv_open_device: device siw0 cannot be used: "), e.getMessage());
            assertTrue(e.getMessage().contains(reason), e.getMessage());
            assertTrue(e.getMessage().contains("WRITE WITH IMMEDIATE"), e.getMessage());
            assertFalse(libraries.calls.contains("ibv_open_device"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void shouldOpenWhatSpeaksInfiniBandOrRoceOrATransportOfItsMakers(final int transport) {
        try (ScriptedLibraries libraries = new ScriptedLibraries()) {
            final long device = device(libraries, transport);
            libraries.answer("ibv_open_device", device);

            assertEquals(device, DeviceList.open(libraries.verbs(), device, NAME));
        }
    }

    @Test
    void shouldShowItWithTheReason() {
        try (ScriptedLibraries libraries = new ScriptedLibraries()) {
            final DeviceDescription shown = RdmaDevices.describe(
                libraries.verbs(), device(libraries, IWARP), SystemEnvironment.instance(), CompletionInterface.AUTO);

            assertEquals(NAME, shown.name());
            assertTrue(shown.problem().contains("iWARP, which has no WRITE WITH IMMEDIATE"), shown.problem());
            assertEquals(List.of(), shown.ports(), "it is not opened to look at them");
        }
    }
}
