package io.sluice.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;
import io.sluice.verbs.rdma.CompletionInterface;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceFactsTest {
    @Test
    void shouldTellPortsAndWhatIsChosenAndNameNoAddress() {
        final DeviceDescription device = new DeviceDescription("mlx5_0", "rdma", "vendor 0x14e4 firmware 229.0.154.0",
            1, "extended", "the device has it", "critical calls: it stores", List.of(), List.of(), List.of(),
            DeviceClock.UNKNOWN, Map.of("queue-pairs", 128L), List.of(
                new PortDescription(1, "active", "Ethernet", 1024, 4096, 0, false, List.of(
                    new GidDescription(0, "fe80:0:0:0:0:0:0:1", "IB/RoCE v1", "eth0", false),
                    new GidDescription(1, "fe80:0:0:0:0:0:0:1", "RoCE v2", "eth0", false),
                    new GidDescription(3, "::ffff:10.0.0.1", "RoCE v2", "eth0", true))),
                new PortDescription(2, "down", "InfiniBand", 0, 4096, 17, true, List.of())), "");

        assertEquals(List.of(
            "vendor 0x14e4 firmware 229.0.154_0, NUMA node 1",
            "port 1: active, Ethernet, MTU 1024 of 4096, 100 Gb/sec (4X EDR), no LID, GRH not required, GIDs: "
                + "1 IB/RoCE v1 and 2 RoCE v2, index 3 (RoCE v2) is taken",
            "port 2: down, InfiniBand, MTU 0 of 4096, has a LID, GRH required, GIDs: none",
            "AUTO takes completions=extended: the device has it",
            "posting: critical calls: it stores",
            "limits: queue-pairs=128"),
            DeviceFacts.of(device, port -> port == 1 ? "100 Gb/sec (4X EDR)" : ""));
    }

    @Test
    void shouldTellWhyADeviceCannotBeUsed() {
        assertEquals(List.of("", "cannot be used: no port is active"), DeviceFacts.of(
            DeviceDescription.unusable("mlx5_0", "rdma", "no port is active"), port -> ""));
    }

    @Test
    void shouldTellThatAPortAsksForGlobalRoutes() {
        assumeFalse(RdmaSurvey.take(SystemEnvironment.instance(), "auto").libraryVersion().isEmpty(),
            "no libibverbs by which a model is described");
        assertTrue(port(ModelCard.MLX4).contains(", has a LID, GRH not required, "), port(ModelCard.MLX4));
        final ModelCard virtual = ModelCard.MLX4.with(Trait.REQUIRES_GLOBAL_ROUTE, "a/port.c");
        assertTrue(port(virtual).contains(", has a LID, GRH required, "), port(virtual));
    }

    private static String port(final ModelCard card) {
        return DeviceFacts.of(new Model(card, SystemEnvironment.instance()).describe(CompletionInterface.AUTO),
            port -> "").get(1);
    }
}
