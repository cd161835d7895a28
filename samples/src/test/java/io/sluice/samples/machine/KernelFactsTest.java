package io.sluice.samples.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class KernelFactsTest {
    private static final String DEVICE = "/sys/class/infiniband/mlx5_0/";

    private final ScriptedMachine machine = new ScriptedMachine();

    @Test
    void shouldTellWhatAMachineRuns() {
        machine.files.put("/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n");
        machine.files.put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Xeon 6230 @ 2.10GHz\nmodel name\t: x\n");

        assertEquals("kernel=6.12 amd64, system=Debian GNU/Linux 13 (trixie), processors=8 of Xeon 6230 @ 2.10GHz, "
            + "java=25+1 Test VM", KernelFacts.ofMachine(machine));
    }

    @Test
    void shouldTellWhatDrivesADevice() {
        machine.files.put(DEVICE + "device/uevent", "DRIVER=mlx5_core\nPCI_CLASS=20000\nPCI_ID=15B3:101D\n"
            + "PCI_SLOT_NAME=0000:3b:00.0\n");
        machine.files.put("/sys/module/mlx5_core/version", "24.10-0.7.0\n");
        machine.files.put(DEVICE + "fw_ver", "22.41.1000\n");
        machine.files.put(DEVICE + "board_id", "MT_0000000359\n");
        machine.files.put(DEVICE + "hca_type", "MT4125\n");
        machine.files.put(DEVICE + "device/current_link_speed", "16.0 GT/s PCIe\n");
        machine.files.put(DEVICE + "device/current_link_width", "16\n");
        machine.files.put(DEVICE + "node_guid", "0c42:a103:0012:3456\n");
        machine.files.put(DEVICE + "node_desc", "host-7 mlx5_0\n");
        machine.files.put(DEVICE + "ports/1/rate", "100 Gb/sec (4X EDR)\n");

        assertEquals("driver=mlx5_core, driver-version=24.10-0.7.0, firmware=22.41.1000, board=MT_0000000359, "
            + "type=MT4125, pci=15B3:101D, pcie=16.0 GT/s PCIe x16", KernelFacts.ofDevice(machine, "mlx5_0"));
        assertEquals("100 Gb/sec (4X EDR)", KernelFacts.rate(machine, "mlx5_0", 1));
    }

    @Test
    void shouldTellNothingOfADeviceThatTheKernelHasNot() {
        assertEquals("", KernelFacts.ofDevice(machine, "none"));
        assertEquals("", KernelFacts.ofDevice(machine, "../../x"));
        assertEquals("", KernelFacts.rate(machine, "none", 1));
    }
}
