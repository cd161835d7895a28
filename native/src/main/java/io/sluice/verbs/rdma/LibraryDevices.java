package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.LibraryVersion;
import io.sluice.verbs.foreign.NativeLibraries;
import java.lang.foreign.SymbolLookup;

/** Devices of libraries that somebody gives, and not of this machine's. Any thread may call; calls may block. */
public final class LibraryDevices {
    private final VerbsLibrary verbs;

    /**
     * Find the devices of libraries.
     *
     * @param functions all that are in use, by their names; linked here.
     * @throws VerbsException when one is missing, or the libraries cannot be described on this machine.
     */
    public LibraryDevices(final SymbolLookup functions) {
        verbs = new VerbsLibrary(new NativeLibraries(functions, LibraryVersion.UNKNOWN));
    }

    /**
     * Open a device.
     *
     * @param environment to reach the clock through.
     * @param options     which device, by its name, and how.
     * @return the device, owned by the caller.
     * @throws VerbsException when there is no such device or it cannot be used, with the reason.
     */
    public RdmaDevice open(final Environment environment, final RdmaDeviceOptions options) {
        return VerbsDevice.of(
            environment, verbs, DeviceList.require(verbs, options.device()), options.device(), options);
    }

    /**
     * Describe a device; opens and closes it.
     *
     * @param environment to reach the clock through.
     * @param name        of the device.
     * @param asked       the completion interface that a user would ask for.
     * @return what people want to know of it, or why it cannot be used.
     * @throws VerbsException when there is no such device or it cannot be opened.
     */
    public DeviceDescription describe(
        final Environment environment, final String name, final CompletionInterface asked) {
        final long context = DeviceList.require(verbs, name);
        try {
            return new DeviceSurvey(verbs, name, context).describe(environment, asked);
        } finally {
            verbs.closeDevice.invoke(context);
        }
    }
}
