package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.foreign.DataPathLinker;
import java.util.function.Supplier;

/**
 * An open device for what is made of it: its context, what it is and can do, its ports, and whether it is still there.
 * The context knows none of the objects. Any thread may call.
 */
final class DeviceContext {
    private final Environment environment;
    private final DeviceHandle handle;
    private final RdmaDeviceOptions options;
    private final RegionPages regionPages;
    private final DeviceVendor vendor;
    private final PostingChoice posting;
    private final DeviceTrials trials;
    private final DevicePorts ports;
    private final DevicePresence presence;
    private final Destruction destruction;
    private final DeviceLife life;
    private final DeviceObjects objects = new DeviceObjects();
    private volatile ParentDomains parentDomains;
    private volatile HardwareClock clock;
    /** Attributes, set before the device is handed out. */
    private DeviceAttributes attributes;

    /**
     * Create the context of a device, which is the caller's to close when this fails.
     *
     * @param options how it is opened.
     */
    DeviceContext(final Environment environment, final DeviceHandle handle, final RdmaDeviceOptions options) {
        this.environment = environment;
        this.handle = handle;
        this.options = options;
        final VerbsLibrary verbs = handle.verbs();
        DataPathLinker.requireKnown(System.getProperty(DataPathLinker.CRITICAL_PROP_NAME));
        ExtendedContext.check(handle.address());
        regionPages = options.regionPages().resolve();
        vendor = DeviceQuery.vendor(verbs, handle.address(), handle.name());
        posting = PostingChoice.of(System.getProperty(PostingChoice.SYSTEM_CALL_PROP_NAME), vendor.number());
        ports = new DevicePorts(handle, options);
        presence = new DevicePresence(environment, handle);
        destruction = new Destruction(presence);
        life = new DeviceLife(presence);
        ports.open();
        trials = verbs.trials(handle.name(), DeviceQuery.nodeGuid(verbs, handle.address()));
    }

    /** Read parts of the context, which are not the device's. */
    void read() {
        parentDomains = new ParentDomains(address(), verbs().deallocPd);
        clock = new HardwareClock(address(), DeviceQuery.capabilities(verbs(), address()));
    }

    /** Take what the device can do, once, before it is handed out. */
    void take(final DeviceAttributes found) {
        attributes = found;
    }

    /** Go on with another context of the same device, of which nothing is read yet. */
    void open(final long address) {
        handle.change(address);
        ExtendedContext.check(address);
        ports.open();
        read();
    }

    /** Have no context any more, which is the caller's to close. */
    void leave() {
        handle.change(0);
    }

    Environment environment() {
        return environment;
    }

    VerbsLibrary verbs() {
        return handle.verbs();
    }

    String name() {
        return handle.name();
    }

    RdmaDeviceOptions options() {
        return options;
    }

    RegionPages regionPages() {
        return regionPages;
    }

    DeviceVendor vendor() {
        return vendor;
    }

    PostingChoice posting() {
        return posting;
    }

    /** Results of trying it out. */
    DeviceTrials trials() {
        return trials;
    }

    DevicePorts ports() {
        return ports;
    }

    DevicePresence presence() {
        return presence;
    }

    Destruction destruction() {
        return destruction;
    }

    DeviceLife life() {
        return life;
    }

    /** Counts of what was created from it and lives. */
    DeviceObjects objects() {
        return objects;
    }

    ParentDomains parentDomains() {
        return parentDomains;
    }

    HardwareClock clock() {
        return clock;
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    /** Address of the {@code ibv_context}; 0 while the device is released. */
    long address() {
        return handle.address();
    }

    /** A function of {@code ibv_context_ops}, by its offset there. */
    long operation(final long offset) {
        return handle.operation(offset);
    }

    /** Create something while the device cannot be closed, see {@link DeviceLife#whileOpen}. */
    <T> T whileOpen(final String call, final Supplier<T> creation) {
        return life.whileOpen(call, creation);
    }
}
