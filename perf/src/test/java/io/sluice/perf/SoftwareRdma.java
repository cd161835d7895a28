package io.sluice.perf;

import io.sluice.transport.Context;
import io.sluice.verbs.software.SoftwareDevice;

/** The transport over {@code sluice:rdma}, with the software device in the place of a verbs device. */
final class SoftwareRdma {
    private SoftwareRdma() {
    }

    /** Let a context's transport open the software device, whatever device a channel names. */
    static Context equip(final Context context) {
        return context.rdmaProvider((environment, options) -> SoftwareDevice.open(environment, context.directory()));
    }
}
