package io.sluice.samples.machine;

import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.PortDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Libraries, devices and the right to use them. Without any device nothing of it is worse than a warning. */
final class RdmaChecks {
    /** Devices that the kernel has. */
    static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path DEVICE_FILES = Path.of("/dev/infiniband");
    private static final String CONNECTION_MANAGER = "rdma_cm";
    private static final String VERBS_PREFIX = "uverbs";
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.\\d{1,6}");
    private static final int OLDEST = 44;

    private RdmaChecks() {
    }

    static List<Finding> of(final Machine machine) {
        final RdmaSurvey rdma = machine.rdma();
        final List<String> kernelDevices = machine.names(DEVICES);
        final List<Finding> findings = new ArrayList<>();
        findings.add(libraries(rdma, !kernelDevices.isEmpty()));
        if (rdma.devices().isEmpty()) {
            findings.add(noDevices(rdma, kernelDevices));
        }
        rdma.devices().forEach(device -> findings.add(device(device)));
        findings.add(permissions(machine, !kernelDevices.isEmpty()));
        return findings;
    }

    private static Finding notOk(
        final boolean hasDevices, final String subject, final String text, final String remedy) {
        return hasDevices ? Finding.fail(subject, text, remedy) : Finding.warn(subject, text, remedy);
    }

    private static Finding libraries(final RdmaSurvey rdma, final boolean hasDevices) {
        final String subject = "libraries";
        if (rdma.libraryVersion().isEmpty()) {
            return notOk(hasDevices, subject, "libibverbs and librdmacm cannot be used", rdma.problem());
        }
        final Matcher version = VERSION.matcher(rdma.libraryVersion());
        if (!version.matches()) {
            return Finding.warn(subject, "rdma-core " + rdma.libraryVersion(),
                "install the distribution's packages, whose file names tell the version: what is known to be broken"
                    + " cannot be avoided otherwise");
        }
        return Integer.parseInt(version.group(1)) < OLDEST
            ? notOk(hasDevices, subject, "rdma-core " + rdma.libraryVersion() + " is too old",
                "install version " + OLDEST + " or later")
            : Finding.ok(subject, "rdma-core " + rdma.libraryVersion());
    }

    private static Finding noDevices(final RdmaSurvey rdma, final List<String> kernelDevices) {
        final String subject = "devices";
        return kernelDevices.isEmpty()
            ? Finding.warn(subject, "none: only sluice:ipc works",
                "install an adapter and load its driver, or load rdma_rxe for a software one")
            : Finding.fail(subject, "the kernel has " + String.join(", ", kernelDevices)
                + ", but none can be used", rdma.problem());
    }

    private static Finding device(final DeviceDescription device) {
        final String subject = "device " + device.name();
        final String ports = device.ports().stream()
            .map(port -> "port " + port.number() + " " + port.state() + " (" + port.linkLayer() + ")")
            .collect(Collectors.joining(", "));
        if (device.problem().isEmpty()) {
            return Finding.ok(subject, ports + "; completion queues " + device.completionInterface() + ": "
                + device.completionReason());
        }
        final boolean isUnplugged =
            !device.ports().isEmpty() && device.ports().stream().noneMatch(PortDescription::isActive);
        return isUnplugged
            ? Finding.warn(subject, ports, device.problem())
            : Finding.fail(subject, "cannot be used", device.problem());
    }

    private static Finding permissions(final Machine machine, final boolean hasDevices) {
        final String subject = "permissions";
        if (!hasDevices) {
            return Finding.ok(subject, "there is no device to have any for");
        }
        final List<String> files = machine.names(DEVICE_FILES).stream()
            .filter(name -> name.startsWith(VERBS_PREFIX) || name.equals(CONNECTION_MANAGER)).toList();
        if (files.stream().noneMatch(name -> name.startsWith(VERBS_PREFIX))) {
            return Finding.fail(subject, DEVICE_FILES + " has no " + VERBS_PREFIX + " files",
                "load ib_uverbs; in a container pass them on: --device=/dev/infiniband");
        }
        if (!files.contains(CONNECTION_MANAGER)) {
            return Finding.fail(subject, DEVICE_FILES + " has no " + CONNECTION_MANAGER,
                "load rdma_ucm; in a container pass it on: --device=/dev/infiniband");
        }
        final String denied = files.stream().filter(name -> !machine.mayUse(DEVICE_FILES.resolve(name)))
            .collect(Collectors.joining(", "));
        return denied.isEmpty()
            ? Finding.ok(subject, "this user may use " + files.size() + " files of " + DEVICE_FILES)
            : Finding.fail(subject, "this user may not use " + denied + " of " + DEVICE_FILES,
                "give access to the user (the group of those files, or a udev rule)");
    }
}
