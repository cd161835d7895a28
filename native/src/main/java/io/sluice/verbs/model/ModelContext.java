package io.sluice.verbs.model;

import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An opened device: an {@code ibv_context} with its asynchronous events. Guarded by the fabric's monitor. */
final class ModelContext {
    /** Keeps the {@code verbs_context} around it, too. */
    final MemorySegment memory = Arena.ofAuto().allocate(verbs_context.layout());
    final ModelChannel<AsyncEvent> events = new ModelChannel<>();

    /**
     * An asynchronous event.
     *
     * @param type    {@code IBV_EVENT_}.
     * @param element address of what it is about.
     */
    record AsyncEvent(int type, long element) {
    }

    ModelContext(final long device) {
        verbs_context.sz(memory, verbs_context.sizeof());
        final MemorySegment inner = inner();
        ibv_context.device(inner, MemorySegment.ofAddress(device));
        ibv_context.abi_compat(inner, MemorySegment.ofAddress(-1));
        ibv_context.async_fd(inner, events.descriptor);
        ibv_context.cmd_fd(inner, -1);
        ibv_context.num_comp_vectors(inner, 1);
    }

    /** The memory that callers see. */
    MemorySegment inner() {
        return verbs_context.context(memory);
    }

    long address() {
        return inner().address();
    }
}
