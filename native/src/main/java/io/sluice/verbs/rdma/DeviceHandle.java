package io.sluice.verbs.rdma;

import io.sluice.verbs.rdma.generated.ibv_context;
import org.agrona.UnsafeApi;

/** The {@code ibv_context} of a device: another one after the device was away. Any thread. */
final class DeviceHandle {
    private final VerbsLibrary verbs;
    private final String name;
    private volatile long address;

    /**
     * Create the handle of a device.
     *
     * @param name    of it.
     * @param address of the context.
     */
    DeviceHandle(final VerbsLibrary verbs, final String name, final long address) {
        this.verbs = verbs;
        this.name = name;
        this.address = address;
    }

    VerbsLibrary verbs() {
        return verbs;
    }

    /** Name of the device. */
    String name() {
        return name;
    }

    /** Address of the {@code ibv_context}; 0 while the device is released. */
    long address() {
        return address;
    }

    /** Go on with another context, or with 0 for none. */
    void change(final long newAddress) {
        address = newAddress;
    }

    /** A function of {@code ibv_context_ops}, by its offset there. */
    long operation(final long offset) {
        return UnsafeApi.getLong(address + ibv_context.ops$offset() + offset);
    }
}
