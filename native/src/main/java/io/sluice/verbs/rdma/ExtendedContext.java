package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.verbs_context;
import org.agrona.UnsafeApi;

/**
 * The extended operations of a device. They lie in a {@code verbs_context} around the {@code ibv_context} that
 * applications see; later versions put more of them in front, so that each one keeps its distance to the end.
 */
final class ExtendedContext {
    /** Value of {@code abi_compat} of a context that has a {@code verbs_context} around it, {@code UINTPTR_MAX}. */
    private static final long IS_EXTENDED = -1L;
    private static final long ABI_COMPAT = ibv_context.abi_compat$offset();
    private static final long CONTEXT = verbs_context.context$offset();
    private static final long SIZE = verbs_context.sz$offset();
    private static final long LENGTH = verbs_context.layout().byteSize();

    private ExtendedContext() {
    }

    /**
     * Refuse a library whose structs are not those that the bindings were made from.
     *
     * @param context address of the {@code ibv_context}.
     * @throws VerbsException with what differs.
     */
    static void check(final long context) {
        if (UnsafeApi.getLong(context + ABI_COMPAT) != IS_EXTENDED) {
            throw unknown("ibv_context.abi_compat is not " + IS_EXTENDED);
        }
        final long size = UnsafeApi.getLong(context - CONTEXT + SIZE);
        if (size < LENGTH) {
            throw unknown("verbs_context has " + size + " bytes, not " + LENGTH + " or more");
        }
    }

    private static VerbsException unknown(final String what) {
        return new VerbsException("ibv_open_device", Errno.EOPNOTSUPP,
            "this libibverbs has other structs than the bindings: " + what + "; install rdma-core 44 or later");
    }

    /**
     * A function of the device, as {@code verbs_get_ctx_op} of the header finds it.
     *
     * @param context address of the {@code ibv_context}.
     * @param offset  of the function pointer in {@code verbs_context}.
     * @return the function, or 0 when library or device have none.
     */
    static long operation(final long context, final long offset) {
        if (UnsafeApi.getLong(context + ABI_COMPAT) != IS_EXTENDED) {
            return 0;
        }
        final long extended = context - CONTEXT;
        if (UnsafeApi.getLong(extended + SIZE) < LENGTH - offset) {
            return 0;
        }
        return UnsafeApi.getLong(extended + offset);
    }
}
