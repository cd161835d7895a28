package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.function.BiFunction;

/** The choice of who opens the verbs devices of a context, for tests in other packages. */
public final class RdmaProviders {
    private RdmaProviders() {
    }

    /** Let a context's transport open its verbs devices so. */
    public static Context set(
        final Context context, final BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> provider) {
        return context.rdmaProvider(provider);
    }
}
