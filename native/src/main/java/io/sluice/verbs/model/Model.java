package io.sluice.verbs.model;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.LibraryDevices;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;

/**
 * One device of a {@link ModelCard}, which can be opened many times, for example by both ends of a connection: the rdma
 * provider is the true one, and what it calls is Java. Any thread.
 */
public final class Model {
    private static final String VERBS_PREFIX = "ibv_";
    private static final String MANAGER_PREFIX = "rdma_";

    private final Fabric fabric;
    private final DeviceFunctions device;
    private final ObjectFunctions objects;
    private final QueueFunctions queues;
    private final ManagerFunctions manager;
    private final LibraryDevices devices;

    /**
     * A device that nobody has opened yet.
     *
     * @param card        whose device it is.
     * @param environment to reach the clock through.
     * @throws IllegalStateException           when calls of the data path are critical, which must not call Java.
     * @throws io.sluice.verbs.VerbsException when this machine does not have the libraries: their functions are not
     *                                         called, but described by them.
     */
    public Model(final ModelCard card, final Environment environment) {
        this(card, environment, DataPath.NONE);
    }

    /** A model with functions of the data path that may be called by critical calls, or none. */
    Model(final ModelCard card, final Environment environment, final DataPath path) {
        if (DataPathLinker.isCritical() && path == DataPath.NONE) {
            throw new IllegalStateException(
                "a model needs calls that may call Java: start with -D" + DataPathLinker.CRITICAL_PROP_NAME + "=false");
        }
        // the bindings look for each function in the libraries, whoever stands for it then
        NativeLibraries.instance();
        fabric = new Fabric(card, environment, path);
        final ContextTables tables = new ContextTables(fabric);
        device = new DeviceFunctions(fabric, tables);
        objects = new ObjectFunctions(fabric);
        queues = new QueueFunctions(fabric, tables);
        manager = new ManagerFunctions(fabric, device);
        tables.connect(device, objects, queues);
        devices = new LibraryDevices(this::find);
    }

    /**
     * Open the device.
     *
     * @param options by which to open it, but for its name.
     * @return the device, owned by the caller.
     * @throws io.sluice.verbs.VerbsException when the provider cannot use such a device, with the reason.
     */
    public RdmaDevice open(final RdmaDeviceOptions options) {
        return devices.open(fabric.environment, options.withDevice(DeviceFunctions.nameOf(fabric.card)));
    }

    /**
     * Describe the device as this machine's are described; opens and closes it.
     *
     * @param asked the completion interface that a user would ask for.
     * @return what the provider makes of such a device.
     */
    public DeviceDescription describe(final CompletionInterface asked) {
        return devices.describe(fabric.environment, DeviceFunctions.nameOf(fabric.card), asked);
    }

    /**
     * Run something whenever a resize is in its system call, where some providers hold the queue's lock.
     *
     * @param systemCall to run.
     */
    public void onResize(final Runnable systemCall) {
        queues.onResize(systemCall);
    }

    /**
     * Run something whenever a change to the ERROR state is in its system call, where some providers hold the locks of
     * posts.
     *
     * @param systemCall to run.
     */
    public void onFail(final Runnable systemCall) {
        queues.onFail(systemCall);
    }

    /**
     * Run something whenever a queue pair is being destroyed, when polls of some providers follow pointers to it.
     *
     * @param systemCall to run.
     */
    public void onDestroy(final Runnable systemCall) {
        queues.onDestroy(systemCall);
    }

    /**
     * Run something whenever the completions of a queue pair that was destroyed are removed, where some providers hold
     * the locks of its completion queues.
     *
     * @param removal to run.
     */
    public void onClean(final Runnable removal) {
        queues.onClean(removal);
    }

    /**
     * Run something whenever a query has told the library that a queue pair has failed, before the caller knows.
     *
     * @param then to run.
     */
    public void onFind(final Runnable then) {
        queues.onFind(then);
    }

    /**
     * The uses of it that the true device does not survive.
     *
     * @return where they are collected.
     */
    public Violations violations() {
        return fabric.violations;
    }

    private Optional<MemorySegment> find(final String function) {
        final boolean isManager = function.startsWith(MANAGER_PREFIX);
        final String method = camel(function.substring((isManager ? MANAGER_PREFIX : VERBS_PREFIX).length()));
        final Object target = isManager ? manager : Stubs.has(device, method) ? device
            : Stubs.has(objects, method) ? objects : queues;
        return Stubs.has(target, method)
            ? Optional.of(MemorySegment.ofAddress(fabric.stubOf(target, method, function))) : Optional.empty();
    }

    /** The method's name for a function's. */
    private static String camel(final String name) {
        final StringBuilder result = new StringBuilder();
        for (final String word : name.split("_")) {
            result.append(result.isEmpty()
                ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return result.toString();
    }
}
