package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of one of several devices where none is named, from what is told of them. */
class DeviceChoiceTest {
    private static final DeviceDescription UNUSABLE = DeviceDescription.unusable("closed0", "rdma", "no permission");
    private static final DeviceDescription DOWN = device("down0", "down", "::ffff:10.0.0.1");
    private static final DeviceDescription FIRST =
        device("first0", "active", "fe80:0:0:0:5054:ff:fe12:3456", "::ffff:10.0.0.2");
    private static final DeviceDescription SECOND =
        device("second0", "active", "::ffff:10.0.0.3", "fd00:0:0:0:0:0:0:3");

    private static DeviceDescription device(final String name, final String state, final String... addresses) {
        final List<GidDescription> gids =
            Stream.of(addresses).map(address -> new GidDescription(0, address, "RoCE v2", "", false)).toList();
        return new DeviceDescription(name, "rdma", "", DeviceDescription.UNKNOWN_NODE, "", "", "", List.of(), List.of(),
            List.of(), DeviceClock.UNKNOWN,
            Map.of(), List.of(new PortDescription(1, state, "Ethernet", 1024, 4096, 0, false, gids)), "");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, down0", "10.0.0.2, first0", "10.0.0.3, second0", "fd00::3, second0",
        "10.0.0.4, first0", "fd00::4, first0", "'', first0"})
    void shouldTakeTheDeviceThatHasTheAddressElseTheFirstActiveOne(final String address, final String name) {
        assertEquals(name, DeviceChoice.choose(List.of(UNUSABLE, DOWN, FIRST, SECOND), 1, address));
    }

    @Test
    void shouldTakeTheFirstWhereNoPortIsActive() {
        assertEquals("down0", DeviceChoice.choose(List.of(DOWN, UNUSABLE), 1, ""));
        assertEquals("second0", DeviceChoice.choose(List.of(SECOND, FIRST), 2, "10.0.0.9"));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:40123, 127.0.0.1", "10.0.0.1:40123, 10.0.0.1", "[fd00::3]:1, fd00:0:0:0:0:0:0:3",
        "nowhere, ''", "10.0.0.1:0, ''"})
    void shouldTakeAnAddressOfThisMachineAsItIs(final String address, final String local) {
        assertEquals(local, RdmaDevices.localAddress(SystemEnvironment.instance(), address, true));
    }

    @Test
    void shouldAskTheRoutesForTheWayToAPeer() {
        assertEquals("127.0.0.1", RdmaDevices.localAddress(SystemEnvironment.instance(), "127.0.0.1:40123", false));
        assertEquals("", RdmaDevices.localAddress(SystemEnvironment.instance(), "nowhere", false));
    }
}
