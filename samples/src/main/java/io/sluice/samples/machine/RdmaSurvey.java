package io.sluice.samples.machine;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.List;
import java.util.Locale;

/**
 * The RDMA of this machine. Immutable; any thread.
 *
 * @param libraryVersion of rdma-core, empty when the libraries cannot be used.
 * @param devices        of the rdma provider, those included that cannot be used.
 * @param problem        why there are none and what to do, in one sentence; empty when there are some.
 */
public record RdmaSurvey(String libraryVersion, List<DeviceDescription> devices, String problem) {
    private static final String NONE = "this machine has no RDMA device: install an adapter and load its driver, or"
        + " load rdma_rxe for a software one (rdma link add rxe0 type rxe netdev eth0); sluice:ipc needs none";

    /**
     * Look.
     *
     * @param environment         to reach the clock through.
     * @param completionInterface that a user asks for: {@code auto}, {@code extended} or {@code legacy}.
     * @return what is there; never throws because something is missing.
     */
    public static RdmaSurvey take(final Environment environment, final String completionInterface) {
        String version = "";
        try {
            version = RdmaDevices.libraryVersion();
            final List<DeviceDescription> devices = RdmaDevices.describe(
                environment, CompletionInterface.valueOf(completionInterface.toUpperCase(Locale.ROOT)));
            return new RdmaSurvey(
                version, devices, devices.isEmpty() ? whyNone(RdmaChecks.DEVICES.toFile().list()) : "");
        } catch (final VerbsException e) {
            return new RdmaSurvey(version, List.of(), e.getMessage());
        }
    }

    /**
     * The libraries alone; opens no device.
     *
     * @return rdma-core's version, or why it cannot be used and what to do.
     */
    public static String libraries() {
        try {
            return RdmaDevices.libraryVersion();
        } catch (final VerbsException e) {
            return "none: " + e.getMessage();
        }
    }

    /** Tells why the library lists no device: it lists what it has a driver of its own for. */
    static String whyNone(final String[] kernelDevices) {
        return kernelDevices == null || kernelDevices.length == 0 ? NONE : "libibverbs has no driver for "
            + String.join(", ", kernelDevices) + ": install ibverbs-providers, of the version of libibverbs1";
    }

    /**
     * The device that is there always.
     *
     * @return its description.
     */
    public static DeviceDescription software() {
        return SoftwareDevice.describe();
    }
}
