package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.GidDescription;
import io.sluice.verbs.PortDescription;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_gid;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Asks an opened device for everything that people want to know of it. One thread; the context is its caller's. */
final class DeviceSurvey {
    private static final String PROVIDER = "rdma";

    private final VerbsLibrary verbs;
    private final String name;
    private final long context;
    private final DeviceFolder folder;

    DeviceSurvey(final VerbsLibrary verbs, final String name, final long context) {
        this.verbs = verbs;
        this.name = name;
        this.context = context;
        folder = verbs.folder(name);
    }

    /** A device that does not even open. */
    static DeviceDescription unusable(final String name, final String problem) {
        return DeviceDescription.unusable(name, PROVIDER, problem);
    }

    /** Describe the ports of the device and nothing else. */
    DeviceDescription describePorts() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = ibv_device_attr.allocate(arena);
            verbs.queryDevice.check("the device does not tell its limits", context, attributes);
            return new DeviceDescription(name, PROVIDER, "", DeviceDescription.UNKNOWN_NODE, "", "", "", List.of(),
                List.of(), List.of(), DeviceClock.UNKNOWN, Map.of(),
                ports(Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(attributes))), "");
        }
    }

    DeviceDescription describe(final Environment environment, final CompletionInterface asked) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attributes = ibv_device_attr.allocate(arena);
            verbs.queryDevice.check("the device does not tell its limits", context, attributes);
            final List<PortDescription> ports = ports(Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(attributes)));
            final PortDescription usable =
                ports.stream().filter(PortDescription::isActive).findFirst().orElse(null);
            if (usable == null) {
                return description(attributes, ports, new Use("", "not known while no port is active", "", null, -1,
                    "no port is active: see cable and link (ip link, rdma link)"), 0);
            }
            final Use use = use(environment, asked, usable.number());
            return description(attributes, ports, use, usable.number());
        } catch (final VerbsException e) {
            return unusable(name, e.getMessage());
        }
    }

    /**
     * Results of opening the device in the usual way.
     *
     * @param attributes null when it cannot be opened.
     * @param gidIndex   that a queue pair gets, or -1.
     */
    private record Use(
        String completionInterface,
        String reason,
        String posting,
        DeviceAttributes attributes,
        int gidIndex,
        String problem) {
    }

    private Use use(final Environment environment, final CompletionInterface asked, final int port) {
        final RdmaDeviceOptions options = new RdmaDeviceOptions(
            name, port, RdmaDeviceOptions.BEST_GID, asked, PostingInterface.WORK_REQUESTS);
        // by its own libraries, which need not be this machine's
        try (VerbsDevice device =
            VerbsDevice.of(environment, verbs, DeviceList.require(verbs, name), name, options)) {
            final CompletionChoice choice = device.completionChoice();
            return new Use(choice.chosen().name().toLowerCase(Locale.ROOT), choice.reason(),
                device.context().posting().describe(), device.attributes(),
                device.context().ports().last().gidIndex(), "");
        } catch (final VerbsException e) {
            return new Use("", "the device cannot be opened", "", null, -1, e.getMessage());
        }
    }

    private DeviceDescription description(
        final MemorySegment attributes, final List<PortDescription> ports, final Use use, final int usedPort) {
        final List<PortDescription> marked = new ArrayList<>(ports);
        marked.replaceAll(port -> port.number() == usedPort ? withChosen(port, use.gidIndex()) : port);
        final DeviceAttributes found = use.attributes();
        return new DeviceDescription(name, PROVIDER, model(attributes), folder.numaNode(), use.completionInterface(),
            use.reason(), use.posting(), found == null ? List.of() : DeviceDescription.completionFields(found),
            found == null ? List.of() : DeviceDescription.abilities(found),
            found == null ? List.of() : DeviceDescription.capabilities(found),
            found == null ? DeviceClock.UNKNOWN : found.clock(), limits(attributes, found), List.copyOf(marked),
            use.problem());
    }

    private static PortDescription withChosen(final PortDescription port, final int gidIndex) {
        final List<GidDescription> gids = port.gids().stream().map(gid -> new GidDescription(gid.index(),
            gid.address(), gid.type(), gid.networkInterface(), gid.index() == gidIndex)).toList();
        return new PortDescription(port.number(), port.state(), port.linkLayer(), port.activeMtuBytes(),
            port.maxMtuBytes(), port.lid(), port.asksForGlobalRoute(), gids);
    }

    private String model(final MemorySegment attributes) {
        if (new DeviceVendor(ibv_device_attr.vendor_id(attributes)).isSoftRoce()) {
            return "soft-RoCE (rdma_rxe)";
        }
        final String firmware = text(ibv_device_attr.fw_ver(attributes));
        return String.format(Locale.ROOT, "vendor 0x%04x part 0x%04x", ibv_device_attr.vendor_id(attributes),
            ibv_device_attr.vendor_part_id(attributes)) + (firmware.isEmpty() ? "" : " firmware " + firmware);
    }

    /** A string that ends with a zero, or with the array that it lies in. */
    static String text(final MemorySegment array) {
        final StringBuilder text = new StringBuilder();
        for (long i = 0; i < array.byteSize() && array.get(ValueLayout.JAVA_BYTE, i) != 0; i++) {
            text.append((char) Byte.toUnsignedInt(array.get(ValueLayout.JAVA_BYTE, i)));
        }
        return text.toString().strip();
    }

    private static Map<String, Long> limits(final MemorySegment attributes, final DeviceAttributes found) {
        final Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("queue-pairs", (long) ibv_device_attr.max_qp(attributes));
        limits.put("work-requests", (long) ibv_device_attr.max_qp_wr(attributes));
        limits.put("scatter-gather-entries", (long) ibv_device_attr.max_sge(attributes));
        if (found != null) {
            limits.put("inline-bytes", (long) found.maxInlineData());
            limits.put("datagram-bytes", (long) found.maxDatagramLength());
        }
        limits.put("completion-queues", (long) ibv_device_attr.max_cq(attributes));
        limits.put("completion-queue-entries", (long) ibv_device_attr.max_cqe(attributes));
        limits.put("shared-receive-queues", (long) ibv_device_attr.max_srq(attributes));
        limits.put("memory-regions", (long) ibv_device_attr.max_mr(attributes));
        if (found != null) {
            limits.put("region-bytes", found.maxMemoryRegionLength());
            limits.put("completion-vectors", (long) found.completionVectors());
        }
        limits.put("reads-in-flight", (long) ibv_device_attr.max_qp_rd_atom(attributes));
        return limits;
    }

    private List<PortDescription> ports(final int count) {
        final List<PortDescription> ports = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment attributes = ibv_port_attr.allocate(arena);
                verbs.queryPort.check("port " + number + " of device " + name + " does not tell its state",
                    context, (byte) number, attributes);
                ports.add(new PortDescription(number, stateName(ibv_port_attr.state(attributes)),
                    linkLayerName(Byte.toUnsignedInt(ibv_port_attr.link_layer(attributes))),
                    VerbsPort.mtuBytes(ibv_port_attr.active_mtu(attributes)),
                    VerbsPort.mtuBytes(ibv_port_attr.max_mtu(attributes)),
                    Short.toUnsignedInt(ibv_port_attr.lid(attributes)), VerbsPort.asksForGlobalRoute(attributes),
                    gids(number, ibv_port_attr.gid_tbl_len(attributes))));
            }
        }
        return ports;
    }

    private List<GidDescription> gids(final int port, final int count) {
        final List<GidDescription> gids = new ArrayList<>();
        final byte[] unset = new byte[PeerAddress.GID_LENGTH];
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment gid = ibv_gid.allocate(arena);
            for (int i = 0; i < count; i++) {
                if (verbs.queryGid.invoke(context, (byte) port, i, gid).value() == 0) {
                    final byte[] bytes = gid.toArray(ValueLayout.JAVA_BYTE);
                    if (!Arrays.equals(bytes, unset)) {
                        gids.add(new GidDescription(
                            i, GidText.of(bytes), folder.gidType(port, i), folder.gidInterface(port, i), false));
                    }
                }
            }
        }
        return gids;
    }

    static String stateName(final int state) {
        if (state == rdma_constants.IBV_PORT_ACTIVE()) {
            return PortDescription.ACTIVE;
        }
        final List<String> names = List.of("nop", "down", "init", "armed", PortDescription.ACTIVE, "active-defer");
        return state >= 0 && state < names.size() ? names.get(state) : "unknown(" + state + ")";
    }

    static String linkLayerName(final int layer) {
        return layer == rdma_constants.IBV_LINK_LAYER_INFINIBAND() ? "InfiniBand"
            : layer == rdma_constants.IBV_LINK_LAYER_ETHERNET() ? "Ethernet" : "unspecified";
    }
}
