package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.machine.Finding;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.samples.machine.Verdict;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The output and the exit status of {@code devices} and {@code doctor}, of made-up machines and of this one. */
class MachineCommandsTest {
    private static final DeviceDescription DEVICE = new DeviceDescription("mlx5_0", "rdma", "vendor 0x02c9", 1,
        "extended", "the device has it", "critical calls: it stores", List.of("IMMEDIATE", "FLOW_TAG"),
        List.of("ATOMICS"), List.of("UD_IP_CSUM", "BIT_63"), new DeviceClock(156_250, -1), Map.of("queue-pairs", 128L),
        List.of(new PortDescription(1, "active", "Ethernet", 1024, 4096, 0, false, List.of(
            new GidDescription(0, "fe80:0:0:0:0:0:0:1", "IB/RoCE v1", "eth0", false),
            new GidDescription(3, "::ffff:10.0.0.1", "RoCE v2", "eth0", true)))), "");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(final String... arguments) {
        final CommandLine command = SluiceCommand.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }

    @Test
    void shouldShowADevice() {
        assertEquals("""
            mlx5_0 (rdma): vendor 0x02c9, NUMA node 1
              port 1             active, Ethernet, MTU 1024 of 4096
                gid 0      fe80:0:0:0:0:0:0:1                       IB/RoCE v1 eth0
                gid 3   *  ::ffff:10.0.0.1                          RoCE v2 eth0
              completion queues  extended: the device has it
              their fields       IMMEDIATE FLOW_TAG
              posting            critical calls: it stores
              abilities          ATOMICS
              capabilities       UD_IP_CSUM BIT_63
              completion clock   156250 kHz
              limits             queue-pairs=128
            """, DeviceReport.text(new RdmaSurvey("56.1", List.of(DEVICE), "")).split("\n\n")[0] + "\n");
        assertTrue(DeviceReport.text(new RdmaSurvey("56.1", List.of(DEVICE), "")).endsWith(
            "\nrdma-core 56.1; * marks the gid that is taken where neither the route to a peer nor gid= decides\n"));
    }

    @Test
    void shouldShowWhyADeviceCannotBeUsed() {
        final String text = DeviceReport.text(new RdmaSurvey(
            "56.1", List.of(DeviceDescription.unusable("mlx5_0", "rdma", "this user may not: ask root")), ""));

        assertTrue(text.startsWith(
            "mlx5_0 (rdma)\n  cannot be used     this user may not: ask root\n\nsoftware ("), text);
    }

    @Test
    void shouldShowAnIwarpDeviceAsRefusedWithTheReason() {
        final String reason = "ibv_open_device: device iw0 cannot be used: it speaks iWARP, which has no WRITE WITH"
            + " IMMEDIATE; use a device of InfiniBand or RoCE";
        final RdmaSurvey survey =
            new RdmaSurvey("56.1", List.of(DeviceDescription.unusable("iw0", "rdma", reason), DEVICE), "");

        assertTrue(DeviceReport.text(survey).startsWith(
            "iw0 (rdma)\n  cannot be used     " + reason + "\n\nmlx5_0 (rdma)"), () -> DeviceReport.text(survey));
        assertTrue(DeviceReport.json(survey).contains("\"problem\":\"" + reason + "\""),
            () -> DeviceReport.json(survey));
    }

    @Test
    void shouldShowNoRateOfAClockThatIsNotTold() {
        final DeviceDescription device = new DeviceDescription("rxe0", "rdma", "soft-RoCE", 0, "legacy", "no other", "",
            List.of("IMMEDIATE"), List.of(), List.of(), DeviceClock.UNKNOWN, Map.of(), List.of(), "");

        final String text = DeviceReport.text(new RdmaSurvey("56.1", List.of(device), ""));
        assertTrue(text.contains("  completion clock   the device does not tell its rate\n\nsoftware ("), text);
        final String json = DeviceReport.json(new RdmaSurvey("56.1", List.of(device), ""));
        assertFalse(json.split("software")[0].contains("completionClockKHz"), json);
    }

    @Test
    void shouldSayInOneSentenceWhyThereAreNoDevices() {
        final String text = DeviceReport.text(new RdmaSurvey("", List.of(), "install libibverbs1"));

        assertTrue(text.startsWith("software (software): shared memory of this host\n"), text);
        assertTrue(text.contains("\n  completion clock   1000000 kHz\n"), text);
        assertTrue(text.contains("\n  capabilities       RC_RNR_NAK_GEN\n"), text);
        assertTrue(text.endsWith("\n\nno RDMA: install libibverbs1\n"), text);
    }

    @Test
    void shouldWriteDevicesAsJson() {
        final String json = DeviceReport.json(new RdmaSurvey("56.1", List.of(DEVICE), ""));

        assertTrue(json.startsWith("{\"libraryVersion\":\"56.1\",\"problem\":\"\",\"devices\":[{\"name\":\"mlx5_0\","
            + "\"provider\":\"rdma\",\"model\":\"vendor 0x02c9\",\"problem\":\"\",\"numaNode\":1,"
            + "\"completionInterface\":\"extended\",\"completionReason\":\"the device has it\","
            + "\"posting\":\"critical calls: it stores\","
            + "\"completionFields\":[\"IMMEDIATE\",\"FLOW_TAG\"],\"abilities\":[\"ATOMICS\"],"
            + "\"capabilities\":[\"UD_IP_CSUM\",\"BIT_63\"],\"completionClockKHz\":156250,"
            + "\"limits\":{\"queue-pairs\":128},\"ports\":[{\"number\":1,"
            + "\"state\":\"active\",\"linkLayer\":\"Ethernet\",\"activeMtuBytes\":1024,"
            + "\"maxMtuBytes\":4096,\"lid\":0,\"asksForGlobalRoute\":false,\"gids\":[{\"index\":0,"), json);
        assertTrue(json.contains("\"networkInterface\":\"eth0\",\"chosen\":true}]}]},{\"name\":\"software\","), json);
        assertTrue(json.endsWith("\"ports\":[]}]}\n"), json);
        assertEquals(1, json.lines().count());
    }

    @Test
    void shouldListTheSoftwareDeviceOnEveryMachine() {
        assertEquals(0, execute("devices"));
        assertTrue(out.toString().contains("software (software): shared memory of this host\n"), out::toString);
        assertEquals(0, execute("devices", "--json", "--cq", "legacy"));
        assertTrue(out.toString().contains("\"provider\":\"software\""), out::toString);
        assertEquals("", err.toString());
    }

    @Test
    void shouldExamineThisMachine() {
        final int exitCode = execute("doctor");

        final String text = out.toString();
        assertTrue(text.startsWith("ok    jdk              "), text);
        assertTrue(text.strip().matches("(?s).*\\R\\R\\d+ ok, \\d+ warn, \\d+ fail"), text);
        assertEquals(text.endsWith(" 0 fail" + System.lineSeparator()) ? 0 : 1, exitCode, text);
        assertEquals("", err.toString());
    }

    @Test
    void shouldEndWithAnErrorOnlyWhenSomethingFails() {
        final Finding ok = new Finding(Verdict.OK, "a", "fine", "");
        final Finding warn = new Finding(Verdict.WARN, "b", "so so", "better it");
        final Finding fail = new Finding(Verdict.FAIL, "c", "broken", "mend it");

        assertEquals(0, DoctorCommand.exitCode(List.of(ok, warn)));
        assertEquals(1, DoctorCommand.exitCode(List.of(ok, warn, fail)));
        assertEquals("""
            ok    a                fine
            warn  b                so so
                                   -> better it
            fail  c                broken
                                   -> mend it

            1 ok, 1 warn, 1 fail
            """, DoctorReport.text(List.of(ok, warn, fail)));
        assertEquals("{\"ok\":0,\"warn\":1,\"fail\":0,\"findings\":[{\"verdict\":\"warn\",\"subject\":\"b\","
            + "\"text\":\"so so\",\"remedy\":\"better it\"}]}\n", DoctorReport.json(List.of(warn)));
    }
}
