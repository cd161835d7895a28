package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Environment variables by which a provider of libibverbs does what no Java program survives. Of the others that
 * rdma-core 691953d8d reads, some cost time and none does harm. Stateless; any thread.
 */
final class ProviderVariables {
    /**
     * Variable by which mlx5 takes no lock any more, and ends the process where it notices two threads:
     * mlx5/mlx5.h:1372.
     */
    static final String SINGLE_THREADED = "MLX5_SINGLE_THREADED";
    /** Makes a poll of mlx5 that finds an error never return, and every safepoint wait for it: mlx5/cq.c:894. */
    static final String FREEZE = "MLX5_FREEZE_ON_ERROR_CQE";

    private ProviderVariables() {
    }

    /**
     * Refuse a device whose provider is told so.
     *
     * @param name      of the device.
     * @param vendor    of it; asked for only where a variable is set.
     * @param variables of this process, by their names; null for one that is not set.
     * @throws VerbsException EINVAL, with the variable.
     */
    static void check(
        final String name, final Supplier<DeviceVendor> vendor, final UnaryOperator<String> variables) {
        final String problem = problem(variables);
        if (!problem.isEmpty() && vendor.get().readsMlx5Variables()) {
            throw new VerbsException(
                "ibv_open_device", Errno.EINVAL, "device " + name + " cannot be used: " + problem + "; unset it");
        }
    }

    private static String problem(final UnaryOperator<String> variables) {
        if ("1".equals(variables.apply(SINGLE_THREADED))) {
            return SINGLE_THREADED + "=1 takes the library's locks away, and several threads would destroy its memory";
        }
        final String freeze = variables.apply(FREEZE);
        if (freeze != null && !freeze.matches("\\s*+[+-]?+0*+(\\D.*)?")) {
            return FREEZE + "=" + freeze + " stops the whole JVM for ever at the first completion with an error";
        }
        return "";
    }
}
