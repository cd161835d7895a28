package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;

/** The RDMA devices of this machine, by libibverbs. Any thread may call; calls may block. */
public final class RdmaDevices {
    /** Longer than any name that the kernel gives. */
    private static final int MAX_NAME_LENGTH = 64;

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
            for (int i = 0; i < list.count; i++) {
                names.add(nameOf(verbs, list.device(i)));
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
            for (int i = 0; i < list.count; i++) {
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
            for (int i = 0; i < list.count; i++) {
                if (name.equals(nameOf(verbs, list.device(i)))) {
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
        final String name = nameOf(verbs, device);
        final long context;
        try {
            context = open(verbs, device, name);
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
            for (int i = 0; i < list.count; i++) {
                final String name = nameOf(verbs, list.device(i));
                if (wanted.equals(name)) {
                    return VerbsDevice.of(environment, verbs, open(verbs, list.device(i), name), name, options);
                }
            }
        }
        throw noDevice(options.device());
    }

    private static VerbsException noDevice(final String wanted) {
        return new VerbsException(
            "ibv_get_device_list", Remedies.ENODEV, missing(wanted, names(), DeviceFolder.names()));
    }

    /** That there is no device of a name, or none at all, and what to do. */
    static String missing(final String wanted, final List<String> names, final List<String> kernelDevices) {
        return names.isEmpty()
            ? "there is no RDMA device" + Remedies.ofMissingDevices(kernelDevices)
            : "there is no device " + wanted + " but " + names + ": name one of these";
    }

    /** Name of the device that is meant where none is named; empty when there is none. */
    private static String chosen(final VerbsLibrary verbs, final DeviceList list, final RdmaDeviceOptions options) {
        if (list.count < 2) {
            return list.count == 0 ? "" : nameOf(verbs, list.device(0));
        }
        final String owner =
            options.localAddress().isEmpty() ? "" : AddressOwner.find(verbs, options.localAddress());
        if (!owner.isEmpty()) {
            return owner;
        }
        final List<DeviceDescription> devices = new ArrayList<>();
        for (int i = 0; i < list.count; i++) {
            devices.add(describePorts(verbs, list.device(i)));
        }
        return DeviceChoice.choose(devices, options.port(), options.localAddress());
    }

    private static DeviceDescription describePorts(final VerbsLibrary verbs, final long device) {
        final String name = nameOf(verbs, device);
        long context = 0;
        try {
            context = open(verbs, device, name);
            return new DeviceSurvey(verbs, name, context).describePorts();
        } catch (final VerbsException e) {
            return DeviceSurvey.unusable(name, e.getMessage());
        } finally {
            if (context != 0) {
                verbs.closeDevice.invoke(context);
            }
        }
    }

    /**
     * Open a device that was there before.
     *
     * @return the address of its {@code ibv_context}, the caller's to close; 0 when there is no such device now.
     * @throws VerbsException when it cannot be opened.
     */
    static long open(final VerbsLibrary verbs, final String name) {
        try (DeviceList list = new DeviceList(verbs)) {
            for (int i = 0; i < list.count; i++) {
                if (name.equals(nameOf(verbs, list.device(i)))) {
                    return open(verbs, list.device(i), name);
                }
            }
        }
        return 0;
    }

    /**
     * Open a device that must be there.
     *
     * @return the address of its {@code ibv_context}, the caller's to close.
     * @throws VerbsException when there is no such device or it cannot be opened.
     */
    static long require(final VerbsLibrary verbs, final String name) {
        final long context = open(verbs, name);
        if (context == 0) {
            throw new VerbsException(
                "ibv_get_device_list", Remedies.ENODEV, "the libraries have no device " + name);
        }
        return context;
    }

    /** @throws VerbsException also when the device speaks a transport, or has a provider, that cannot be used. */
    static long open(final VerbsLibrary verbs, final long device, final String name) {
        DeviceTransport.check(device, name);
        final SetupCall.Result context = verbs.openDevice.invoke(device);
        if (context.value() == 0) {
            // A file that this user may not open counts as none there.
            final int cause = context.errno() == Errno.ENOENT ? Errno.EACCES : context.errno();
            throw new VerbsException("ibv_open_device", context.errno(),
                "device " + name + " cannot be opened" + Remedies.remedy(cause));
        }
        try {
            ProviderVariables.check(
                name, () -> DeviceLimits.vendor(verbs, context.value(), name), System::getenv);
        } catch (final VerbsException e) {
            verbs.closeDevice.invoke(context.value());
            throw e;
        }
        return context.value();
    }

    /** Name of an {@code ibv_device}. */
    static String nameOf(final VerbsLibrary verbs, final long device) {
        final long name = verbs.getDeviceName.pointer("a device has no name", device);
        return MemorySegment.ofAddress(name).reinterpret(MAX_NAME_LENGTH).getString(0);
    }

    /** The list as the library hands it out. */
    private static final class DeviceList implements AutoCloseable {
        private final VerbsLibrary verbs;
        private final long address;
        private final int count;

        private DeviceList(final VerbsLibrary verbs) {
            this.verbs = verbs;
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
                address = verbs.getDeviceList.pointer("there are no RDMA devices", length);
                count = length.get(ValueLayout.JAVA_INT, 0);
            }
        }

        private long device(final int index) {
            return UnsafeApi.getLong(address + (long) index * Long.BYTES);
        }

        @Override
        public void close() {
            verbs.freeDeviceList.invoke(address);
        }
    }
}
