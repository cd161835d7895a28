package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.DeviceFixtures;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import io.sluice.verbs.software.SoftwareDevice;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers of a device as people read them, and descriptions of the devices that there are. */
class DeviceSurveyTest {
    @ParameterizedTest
    @CsvSource({"0, nop", "1, down", "2, init", "3, armed", "4, active", "5, active-defer", "6, unknown(6)",
        "-1, unknown(-1)"})
    void shouldNameTheStateOfAPort(final int state, final String name) {
        assertEquals(name, DeviceSurvey.stateName(state));
    }

    @ParameterizedTest
    @CsvSource({"0, unspecified", "1, InfiniBand", "2, Ethernet", "255, unspecified"})
    void shouldNameTheLinkLayer(final int layer, final String name) {
        assertEquals(name, DeviceSurvey.linkLayerName(layer));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 256", "2, 512", "3, 1024", "4, 2048", "5, 4096", "6, 0", "-1, 0"})
    void shouldTellBytesOfAPacket(final int code, final int bytes) {
        assertEquals(bytes, VerbsPort.mtuBytes(code));
    }

    @Test
    void shouldReadAStringThatEndsWithItsArray() {
        assertEquals("16.35", DeviceSurvey.text(segment("16.35\0garbage")));
        assertEquals("16.35", DeviceSurvey.text(segment("16.35")));
        assertEquals("", DeviceSurvey.text(segment("\0")));
    }

    private static MemorySegment segment(final String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000 0000ffff0a4d0001, ::ffff:10.77.0.1",
        "fe80000000000000 505400fffe123456, fe80:0:0:0:5054:ff:fe12:3456"})
    void shouldWriteAnAddress(final String hex, final String text) {
        assertEquals(text, GidText.of(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    @Test
    void shouldRefuseAnAddressOfAnotherLength() {
        assertThrows(IllegalArgumentException.class, () -> GidText.of(new byte[15]));
    }

    @Test
    void shouldDescribeTheSoftwareDevice() {
        final DeviceDescription software = SoftwareDevice.describe();

        assertEquals("software", software.completionInterface());
        assertEquals("", software.problem());
        assertTrue(software.completionFields().contains("IMMEDIATE"));
        assertTrue(software.abilities().containsAll(List.of("IGNORE_OVERRUN", "ATOMICS", "SHARED_MEMORY")));
        assertTrue(software.capabilities().contains("RC_RNR_NAK_GEN"), software.capabilities()::toString);
        assertTrue(software.limits().get("queue-pairs") > 0);
        assertTrue(software.ports().isEmpty());
    }

    @Test
    void shouldDescribeTheDevicesThereAre() {
        final String reason = DeviceFixtures.whyNoRdma();
        assumeTrue(reason.isEmpty(), reason);
        for (final CompletionInterface asked : List.of(CompletionInterface.AUTO, CompletionInterface.LEGACY)) {
            final List<DeviceDescription> devices = RdmaDevices.describe(SystemEnvironment.instance(), asked);

            assertEquals(RdmaDevices.names(), devices.stream().map(DeviceDescription::name).toList());
            final DeviceDescription first = devices.getFirst();
            assertEquals("", first.problem());
            assertEquals(asked != CompletionInterface.AUTO, "asked for".equals(first.completionReason()));
            assertTrue(first.posting().matches("(plain|critical) calls: .+"), first.posting());
            assertFalse(first.completionFields().isEmpty());
            assertFalse(first.capabilities().isEmpty());
            assertTrue(first.limits().get("completion-queue-entries") > 0);
            final PortDescription port =
                first.ports().stream().filter(PortDescription::isActive).findFirst().orElseThrow();
            assertTrue(port.activeMtuBytes() >= 256 && port.activeMtuBytes() <= port.maxMtuBytes());
            assertEquals(1, port.gids().stream().filter(GidDescription::isChosen).count());
        }
    }
}
