package io.sluice.samples.machine;

import io.sluice.verbs.DeviceClock;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.PortDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** A machine made of made-up files. A new one is fit in every respect. */
public final class ScriptedMachine implements Machine {
    static final String SHARED = "/dev/shm";
    static final String FOLDER = SHARED + "/sluice-me";
    private static final long GIB = 1L << 30;

    final Map<String, String> properties = new HashMap<>(Map.of(
        "os.name", "Linux", "os.version", "6.12", "os.arch", "amd64", "java.specification.version", "25",
        "java.vm.name", "Test VM", "java.vm.version", "25+1", "java.home", "/jdk"));
    final Map<String, String> files = new HashMap<>();
    final Set<String> denied = new HashSet<>();
    final Map<String, Long> room = new HashMap<>();
    final List<String> flags = new ArrayList<>(List.of("-Xmx1g"));
    boolean nativeAccess = true;
    boolean internalAccess = true;
    String folderProblem = "";
    int processors = 8;
    RdmaSurvey rdma = new RdmaSurvey("56.1", List.of(usable("mlx5_0")), "");

    /** A machine that is fit. */
    public ScriptedMachine() {
        files.put("/proc/self/status", "Name:\tjava\nCapEff:\t0000000000000000\n");
        files.put("/proc/self/limits", limits("unlimited"));
        files.put("/proc/meminfo", "MemTotal: 1 kB\n" + hugePages(8, 8));
        files.put("/sys/devices/system/cpu/isolated", "2-3\n");
        files.put("/sys/devices/system/cpu/nohz_full", "2-3\n");
        files.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        files.put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        files.put("/sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
        files.put("/dev/infiniband/uverbs0", "");
        files.put("/dev/infiniband/rdma_cm", "");
        files.put(FOLDER + "/x", "");
        room.put(SHARED, GIB);
    }

    static String limits(final String locked) {
        return "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max cpu time              unlimited            unlimited            seconds\n"
            + "Max locked memory         " + locked + "              " + locked + "              bytes\n";
    }

    static String hugePages(final int total, final int free) {
        return "HugePages_Total:    " + total + "\nHugePages_Free:     " + free + "\nHugepagesize:       2048 kB\n";
    }

    static DeviceDescription usable(final String name) {
        return device(name, PortDescription.ACTIVE, "");
    }

    static DeviceDescription device(final String name, final String state, final String problem) {
        return new DeviceDescription(name, "rdma", "model", 0, "extended", "the device has it", "",
            List.of("IMMEDIATE"), List.of(), List.of(), DeviceClock.UNKNOWN, Map.of("queue-pairs", 10L),
            List.of(new PortDescription(1, state, "Ethernet", 1024, 4096, 0, false, List.of())), problem);
    }

    /** Take everything away that has to do with RDMA, as on a machine without an adapter. */
    ScriptedMachine withoutRdma() {
        files.keySet().removeIf(file -> file.contains("infiniband"));
        rdma = new RdmaSurvey("", List.of(), "dlopen: libibverbs.so.1 is not installed: install it");
        return this;
    }

    @Override
    public String property(final String name) {
        return properties.getOrDefault(name, "");
    }

    @Override
    public List<String> jvmFlags() {
        return flags;
    }

    @Override
    public boolean isNativeAccessEnabled() {
        return nativeAccess;
    }

    @Override
    public boolean isInternalAccessOpen() {
        return internalAccess;
    }

    @Override
    public int processors() {
        return processors;
    }

    @Override
    public Optional<String> read(final Path file) {
        return Optional.ofNullable(files.get(file.toString()));
    }

    @Override
    public List<String> names(final Path folder) {
        final Set<String> names = new TreeSet<>();
        for (final String file : files.keySet()) {
            final Path path = Path.of(file);
            if (path.startsWith(folder) && path.getNameCount() > folder.getNameCount()) {
                names.add(path.getName(folder.getNameCount()).toString());
            }
        }
        return List.copyOf(names);
    }

    @Override
    public boolean mayUse(final Path path) {
        return !denied.contains(path.toString());
    }

    @Override
    public String folderProblem(final Path folder) {
        return folderProblem;
    }

    @Override
    public OptionalLong usableBytes(final Path folder) {
        final Long bytes = room.get(folder.toString());
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    @Override
    public RdmaSurvey rdma() {
        return rdma;
    }
}
