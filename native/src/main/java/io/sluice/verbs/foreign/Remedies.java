package io.sluice.verbs.foreign;

import io.sluice.os.OpenFiles;
import io.sluice.verbs.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Advice about errors that are those of the machine's set-up, in one clause of a message. */
public final class Remedies {
    /** The operation is not permitted. */
    public static final int EPERM = 1;
    /** No such device. */
    public static final int ENODEV = 19;
    /** The kernel has no such call: here, no RDMA. */
    public static final int ENOSYS = 38;
    /** An address that no interface of this machine has. */
    public static final int EADDRNOTAVAIL = 99;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LOCKED_MEMORY = "Max locked memory";
    private static final String UNLIMITED = "unlimited";

    private Remedies() {
    }

    /**
     * Tell what to do about an error.
     *
     * @param errno of the failed call.
     * @return a clause that begins with a colon, or nothing.
     */
    public static String remedy(final int errno) {
        return remedy(errno, lockedMemoryLimit(), DeviceFolder.names());
    }

    static String remedy(final int errno, final String lockedMemoryLimit, final List<String> kernelDevices) {
        return switch (errno) {
            case EPERM, Errno.EACCES -> ": this user may not use the device; give it access to /dev/infiniband"
                + " (the group of those files, or a udev rule), and in a container pass these devices on";
            case Errno.EMFILE, Errno.ENFILE -> ": " + OpenFiles.exhausted(errno == Errno.ENFILE);
            case ENODEV, ENOSYS -> ofMissingDevices(kernelDevices);
            case Errno.ENOMEM -> UNLIMITED.equals(lockedMemoryLimit)
                ? ": the device or the kernel has no memory left for it"
                : ": the limit of locked memory is " + lockedMemoryLimit + " bytes; raise it (ulimit -l unlimited,"
                    + " LimitMEMLOCK= of a systemd unit, --ulimit memlock=-1 of a container), and if that does not"
                    + " help the device has no room left: ask for less (./sluice devices tells its limits)";
            default -> "";
        };
    }

    /**
     * Tell what to do where programs find no device.
     *
     * @param kernelDevices names of those that the kernel has all the same.
     * @return a clause that begins with a colon.
     */
    public static String ofMissingDevices(final List<String> kernelDevices) {
        return kernelDevices.isEmpty()
            ? ": this machine's kernel has no RDMA device; load the driver of the adapter, or rdma_rxe for a software"
                + " one (native/lab has one in a virtual machine)"
            : ": the kernel has " + kernelDevices + ", but not for programs; load the module ib_uverbs (modprobe"
                + " ib_uverbs), and in a container pass /dev/infiniband on";
    }

    /**
     * Tell why nobody can listen on an address, and what to do: rdma_bind_addr(3) fails for what is wrong with the
     * address, where the same error numbers say of a device that it is missing or forbidden.
     *
     * @param address as it was asked for.
     * @param errno   of rdma_bind_addr, other than EADDRINUSE.
     * @return a whole sentence.
     */
    public static String ofListening(final String address, final int errno) {
        return "address=" + address + ofBinding(errno);
    }

    /**
     * Tell what is wrong with an address, and what to do.
     *
     * @param errno of rdma_bind_addr, other than EADDRINUSE.
     * @return the rest of a sentence that begins with the address.
     */
    public static String ofBinding(final int errno) {
        return switch (errno) {
            case ENODEV -> " is not that of an RDMA device: use one that ./sluice devices lists";
            case EADDRNOTAVAIL -> " is none of this machine, or its port is taken for all addresses:"
                + " use an address that ./sluice devices lists, or another port";
            case Errno.EACCES -> " is not for this user: ports below 1024 need CAP_NET_BIND_SERVICE, use a higher one";
            default -> " cannot be bound";
        };
    }

    /**
     * Tell why there is no connection manager, and what to do: rdma_create_event_channel(3) fails so on a machine whose
     * device is open.
     *
     * @param errno of the failed call.
     * @return a whole sentence.
     */
    public static String ofManager(final int errno) {
        return "no connection manager" + switch (errno) {
            case Errno.ENOENT, ENODEV, ENOSYS -> ": load the module rdma_ucm (modprobe rdma_ucm), and in a container"
                + " pass /dev/infiniband/rdma_cm on";
            default -> remedy(errno);
        };
    }

    /** Bytes that this process may lock, for people to read. */
    private static String lockedMemoryLimit() {
        try {
            return lockedMemoryLimit(Files.readAllLines(LIMITS));
        } catch (final IOException e) {
            return "unknown";
        }
    }

    /** The soft limit of locked memory by the lines of proc_pid_limits(5). */
    static String lockedMemoryLimit(final List<String> lines) {
        return lines.stream().filter(line -> line.startsWith(LOCKED_MEMORY))
            .map(line -> line.substring(LOCKED_MEMORY.length()).trim().split("\\s+")[0])
            .findFirst().orElse("unknown");
    }
}
