package io.sluice.verbs.model;

import io.sluice.verbs.rdma.generated.ibv_pd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A protection domain, or a parent domain over another one. Guarded by the fabric's monitor. */
final class ModelDomain {
    final MemorySegment memory = Arena.ofAuto().allocate(ibv_pd.layout());
    final ModelContext context;
    /** The domain below this one; null when this is no parent domain. */
    final ModelDomain below;
    /** Objects that were created in it. */
    int users;

    ModelDomain(final ModelContext context, final ModelDomain below) {
        this.context = context;
        this.below = below;
    }

    long address() {
        return memory.address();
    }

    /** The one that decides what works together. */
    ModelDomain root() {
        return below == null ? this : below.root();
    }
}
