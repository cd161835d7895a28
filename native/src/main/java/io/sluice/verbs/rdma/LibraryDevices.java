package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.foreign.Remedies;

/** Devices of libraries that somebody gives, and not of this machine's. Any thread may call; calls may block. */
public final class LibraryDevices {
    private final VerbsLibrary verbs;

    /**
     * Of libraries.
     *
     * @param libraries that have all functions in use; linked here.
     * @throws VerbsException when they lack one, or cannot be described on this machine.
     */
    public LibraryDevices(final NativeLibraries libraries) {
        verbs = new VerbsLibrary(libraries);
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
        final long context = RdmaDevices.open(verbs, options.device());
        if (context == 0) {
            throw new VerbsException(
                "ibv_get_device_list", Remedies.ENODEV, "the libraries have no device " + options.device());
        }
        return VerbsDevice.of(environment, verbs, context, options.device(), options);
    }
}
