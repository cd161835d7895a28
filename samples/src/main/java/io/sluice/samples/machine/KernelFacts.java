package io.sluice.samples.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions of a machine and of a device's driver, by files of the kernel alone: nothing is opened that may hang, and no
 * address is among them. Stateless.
 */
public final class KernelFacts {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path SYSTEM = Path.of("/etc/os-release");
    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path MODULES = Path.of("/sys/module");
    private static final Pattern NAME = Pattern.compile("\\w[\\w-]{0,63}");

    private KernelFacts() {
    }

    /**
     * Tell what the machine runs.
     *
     * @param machine to ask.
     * @return kernel, system, processors and Java, in one line.
     */
    public static String ofMachine(final Machine machine) {
        final List<String> facts = new ArrayList<>();
        add(facts, "kernel", machine.property("os.version") + " " + machine.property("os.arch"));
        add(facts, "system", value(read(machine, SYSTEM), "PRETTY_NAME=").replace("\"", ""));
        add(facts, "processors", machine.processors() + " of "
            + value(read(machine, PROCESSORS), "model name").replaceFirst("^\\s*:\\s*", ""));
        add(facts, "java", machine.property("java.vm.version") + " " + machine.property("java.vm.name"));
        return String.join(", ", facts);
    }

    /**
     * Tell what drives a device.
     *
     * @param machine to ask.
     * @param device  name of it.
     * @return driver, firmware and where it is plugged in, in one line; empty where the kernel tells nothing.
     */
    public static String ofDevice(final Machine machine, final String device) {
        if (!NAME.matcher(device).matches()) {
            return "";
        }
        final Path folder = DEVICES.resolve(device);
        final String events = read(machine, folder.resolve("device").resolve("uevent"));
        final String driver = value(events, "DRIVER=");
        final List<String> facts = new ArrayList<>();
        add(facts, "driver", driver);
        add(facts, "driver-version", NAME.matcher(driver).matches()
            ? read(machine, MODULES.resolve(driver).resolve("version")) : "");
        add(facts, "firmware", read(machine, folder.resolve("fw_ver")));
        add(facts, "board", read(machine, folder.resolve("board_id")));
        add(facts, "type", read(machine, folder.resolve("hca_type")));
        add(facts, "pci", value(events, "PCI_ID="));
        add(facts, "pcie", (read(machine, folder.resolve("device").resolve("current_link_speed")) + " x"
            + read(machine, folder.resolve("device").resolve("current_link_width"))).replaceFirst("^ x.*| x$", ""));
        return String.join(", ", facts);
    }

    /**
     * The rate of a port.
     *
     * @param machine to ask.
     * @param device  name of it.
     * @param port    number of it, the first is 1.
     * @return for example {@code "100 Gb/sec (4X EDR)"}; empty when the kernel does not tell.
     */
    public static String rate(final Machine machine, final String device, final int port) {
        return NAME.matcher(device).matches()
            ? read(machine, DEVICES.resolve(device).resolve("ports").resolve(Integer.toString(port)).resolve("rate"))
            : "";
    }

    private static void add(final List<String> facts, final String name, final String value) {
        if (!value.isBlank()) {
            facts.add(String.format(Locale.ROOT, "%s=%s", name, value.strip()));
        }
    }

    private static String read(final Machine machine, final Path file) {
        return machine.read(file).orElse("").strip();
    }

    /** The rest of the first line that begins so; empty when there is none. */
    private static String value(final String text, final String start) {
        final Matcher matcher = Pattern.compile("(?m)^" + Pattern.quote(start) + "(.{0,200})$").matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }
}
