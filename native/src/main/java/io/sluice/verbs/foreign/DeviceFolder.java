package io.sluice.verbs.foreign;

import io.sluice.verbs.DeviceDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A device as the kernel describes it in files (sysfs(5), Documentation/ABI/stable/sysfs-class-infiniband). Any thread.
 */
public final class DeviceFolder {
    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final Path NODE = Path.of("device", "numa_node");
    private static final Path VENDOR = Path.of("device", "vendor");
    private static final Pattern VENDOR_NUMBER = Pattern.compile("0x[0-9a-f]{1,6}");
    private static final Pattern NODE_NUMBER = Pattern.compile("\\d{1,6}");
    /** The names of network interfaces, which are shorter than 16 characters, and no way out of their folder. */
    private static final Pattern INTERFACE_NAME = Pattern.compile("[^/\\s]{1,15}");

    private final Path folder;
    private final Path interfaces;

    /**
     * Read what a folder tells of a device.
     *
     * @param folder     of the device.
     * @param interfaces the folder of network interfaces, each in one of its name.
     */
    public DeviceFolder(final Path folder, final Path interfaces) {
        this.folder = folder;
        this.interfaces = interfaces;
    }

    /**
     * Find the files of a device.
     *
     * @param device name of it.
     * @return its files, which need not be there.
     */
    public static DeviceFolder of(final String device) {
        return new DeviceFolder(DEVICES.resolve(device), INTERFACES);
    }

    /**
     * The names of the devices that the kernel has, those included that programs cannot reach.
     *
     * @return in order; empty without RDMA.
     */
    public static List<String> names() {
        return names(DEVICES);
    }

    static List<String> names(final Path devices) {
        try (Stream<Path> entries = Files.list(devices)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (final IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /**
     * Type of an address of a port.
     *
     * @param port  number of it, the first is 1.
     * @param index of the address.
     * @return for example {@code "RoCE v2"}; empty for an entry that is not set, which the kernel refuses to read.
     */
    public String gidType(final int port, final int index) {
        return read(attribute(port, "types", index));
    }

    /**
     * Network interface that an address of a port belongs to.
     *
     * @param port  number of it, the first is 1.
     * @param index of the address.
     * @return name of the interface; empty when there is none.
     */
    public String gidInterface(final int port, final int index) {
        return read(attribute(port, "ndevs", index));
    }

    private Path attribute(final int port, final String kind, final int index) {
        return folder.resolve("ports").resolve(Integer.toString(port)).resolve("gid_attrs").resolve(kind)
            .resolve(Integer.toString(index));
    }

    /**
     * Memory node of the adapter, or for a device made of software of the network interface below it.
     *
     * @return number of the node, or {@link DeviceDescription#UNKNOWN_NODE}.
     */
    public int numaNode() {
        final int own = node(folder.resolve(NODE));
        if (own != DeviceDescription.UNKNOWN_NODE) {
            return own;
        }
        final String parent = read(folder.resolve("parent"));
        return INTERFACE_NAME.matcher(parent).matches() && !parent.startsWith(".")
            ? node(interfaces.resolve(parent).resolve(NODE)) : own;
    }

    /**
     * Vendor of the adapter on the PCI bus that the device belongs to; of a device made of software, that of a network
     * adapter below it.
     *
     * @return number of the vendor; 0 when the kernel does not tell.
     */
    public int adapterVendor() {
        final String text = read(folder.resolve(VENDOR));
        return VENDOR_NUMBER.matcher(text).matches() ? Integer.decode(text) : 0;
    }

    private static int node(final Path file) {
        final String text = read(file);
        return NODE_NUMBER.matcher(text).matches() ? Integer.parseInt(text) : DeviceDescription.UNKNOWN_NODE;
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file).trim();
        } catch (final IOException e) {
            return "";
        }
    }
}
