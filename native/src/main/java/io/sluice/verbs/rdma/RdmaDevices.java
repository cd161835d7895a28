package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.Remedies;
import java.util.ArrayList;
import java.util.List;

/** The RDMA devices of this machine, by libibverbs. Any thread may call; calls may block. */
public final class RdmaDevices {
    private RdmaDevices() {
    }

    /**
     * The devices there are.
     *
     * @return their names; empty when the machine has RDMA, but no device.
     * @throws VerbsException when RDMA cannot be used here, with the reason and what to do.
     */
    public static List<String> names() {
        final VerbsLibrary verbs = VerbsLibrary.instance();
        final List<String> names = new ArrayList<>();
        try (DeviceList list = new DeviceList(verbs)) {
            for (int i = 0; i < list.count(); i++) {
                names.add(list.name(i));
            }
        }
        return names;
    }

    /**
     * Version of the libraries.
     *
     * @return rdma-core's, for example {@code "44.0"}; {@code "of unknown version"} when their files do not tell it.
     * @throws VerbsException when RDMA cannot be used here, with the reason and what to do.
     */
    public static String libraryVersion() {
        return NativeLibraries.instance().version().toString();
    }

    /**
     * Describe all devices, those included that cannot be used; opens and closes each of them.
     *
     * @param environment to reach the clock through.
     * @param asked       the completion interface that a user would ask for.
     * @return the descriptions; empty when the machine has RDMA, but no device.
     * @throws VerbsException when RDMA cannot be used here, with the reason and what to do.
     */
    public static List<DeviceDescription> describe(final Environment environment, final CompletionInterface asked) {
        final VerbsLibrary verbs = VerbsLibrary.instance();
        final List<DeviceDescription> descriptions = new ArrayList<>();
        try (DeviceList list = new DeviceList(verbs)) {
            for (int i = 0; i < list.count(); i++) {
                descriptions.add(describe(verbs, list.device(i), environment, asked));
            }
        }
        return descriptions;
    }

    /**
     * Describe one device; opens and closes it, and no other one.
     *
     * @param environment to reach the clock through.
     * @param name        of the device.
     * @param asked       the completion interface that a user would ask for.
     * @return the description, also of a device that cannot be used.
     * @throws VerbsException when there is no such device, with the names there are, or RDMA cannot be used here.
     */
    public static DeviceDescription describe(
        final Environment environment, final String name, final CompletionInterface asked) {
        final VerbsLibrary verbs = VerbsLibrary.instance();
        try (DeviceList list = new DeviceList(verbs)) {
            for (int i = 0; i < list.count(); i++) {
                if (name.equals(list.name(i))) {
                    return describe(verbs, list.device(i), environment, asked);
                }
            }
        }
        throw noDevice(name);
    }

    /**
     * The address of this machine that a socket address is served or reached by. May ask a name server, and sends
     * nothing else.
     *
     * @param environment to ask the routes through.
     * @param address     {@code host:port}, an IPv6 address in brackets.
     * @param isOwn       whether it is one of this machine, or else of a peer that the routes of this machine lead to.
     * @return an IP address for {@link RdmaDeviceOptions#withLocalAddress}; empty when nobody knows the host or a way.
     */
    public static String localAddress(final Environment environment, final String address, final boolean isOwn) {
        return DeviceChoice.localAddress(environment, address, isOwn);
    }

    static DeviceDescription describe(
        final VerbsLibrary verbs, final long device, final Environment environment, final CompletionInterface asked) {
        final String name = DeviceList.nameOf(verbs, device);
        final long context;
        try {
            context = DeviceList.open(verbs, device, name);
        } catch (final VerbsException e) {
            return DeviceSurvey.unusable(name, e.getMessage());
        }
        try {
            return new DeviceSurvey(verbs, name, context).describe(environment, asked);
        } finally {
            verbs.closeDevice.invoke(context);
        }
    }

    /**
     * Open a device.
     *
     * @param environment to reach the clock through.
     * @param options     which device, and how.
     * @return the device, owned by the caller.
     * @throws VerbsException when there is no such device or it cannot be used, with the reason and what to do.
     */
    public static RdmaDevice open(final Environment environment, final RdmaDeviceOptions options) {
        final VerbsLibrary verbs = VerbsLibrary.instance();
        try (DeviceList list = new DeviceList(verbs)) {
            final String wanted = options.device().isEmpty() ? chosen(verbs, list, options) : options.device();
            for (int i = 0; i < list.count(); i++) {
                final String name = list.name(i);
                if (wanted.equals(name)) {
                    return VerbsDevice.of(
                        environment, verbs, DeviceList.open(verbs, list.device(i), name), name, options);
                }
            }
        }
        throw noDevice(options.device());
    }

    private static VerbsException noDevice(final String wanted) {
        return new VerbsException(
            "ibv_get_device_list", Remedies.ENODEV, missing(wanted, names(), DeviceFolder.names()));
    }

    /** Says that there is no device of a name, or none at all, and what to do. */
    static String missing(final String wanted, final List<String> names, final List<String> kernelDevices) {
        return names.isEmpty()
            ? "there is no RDMA device" + Remedies.ofMissingDevices(kernelDevices)
            : "there is no device " + wanted + " but " + names + ": name one of these";
    }

    /** Name of the device that is meant where none is named; empty when there is none. */
    private static String chosen(final VerbsLibrary verbs, final DeviceList list, final RdmaDeviceOptions options) {
        if (list.count() < 2) {
            return list.count() == 0 ? "" : list.name(0);
        }
        final String owner =
            options.localAddress().isEmpty() ? "" : AddressOwner.find(verbs, options.localAddress());
        if (!owner.isEmpty()) {
            return owner;
        }
        final List<DeviceDescription> devices = new ArrayList<>();
        for (int i = 0; i < list.count(); i++) {
            devices.add(describePorts(verbs, list.device(i)));
        }
        return DeviceChoice.choose(devices, options.port(), options.localAddress());
    }

    private static DeviceDescription describePorts(final VerbsLibrary verbs, final long device) {
        final String name = DeviceList.nameOf(verbs, device);
        long context = 0;
        try {
            context = DeviceList.open(verbs, device, name);
            return new DeviceSurvey(verbs, name, context).describePorts();
        } catch (final VerbsException e) {
            return DeviceSurvey.unusable(name, e.getMessage());
        } finally {
            if (context != 0) {
                verbs.closeDevice.invoke(context);
            }
        }
    }
}
