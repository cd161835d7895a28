package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.agrona.UnsafeApi;

/** The devices of a machine as the library lists them at one moment, and opens them. One thread. */
final class DeviceList implements AutoCloseable {
    /** The greatest length of a name, longer than any that the kernel gives. */
    private static final int MAX_NAME_LENGTH = 64;

    private final VerbsLibrary verbs;
    private final long address;
    private final int count;

    DeviceList(final VerbsLibrary verbs) {
        this.verbs = verbs;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            address = verbs.getDeviceList.pointer("there are no RDMA devices", length);
            count = length.get(ValueLayout.JAVA_INT, 0);
        }
    }

    int count() {
        return count;
    }

    /** Address of an {@code ibv_device}. */
    long device(final int index) {
        return UnsafeApi.getLong(address + (long) index * Long.BYTES);
    }

    String name(final int index) {
        return nameOf(verbs, device(index));
    }

    @Override
    public void close() {
        verbs.freeDeviceList.invoke(address);
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
                if (name.equals(list.name(i))) {
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

    /**
     * Opens a device by ibv_open_device(3).
     *
     * @return its context, never 0.
     * @throws VerbsException also when the device speaks a transport, or has a provider, that cannot be used.
     */
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
                name, () -> DeviceQuery.vendor(verbs, context.value(), name), System::getenv);
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
}
