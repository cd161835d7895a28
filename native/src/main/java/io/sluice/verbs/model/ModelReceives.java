package io.sluice.verbs.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** A receive queue, of one queue pair or shared. Guarded by the fabric's monitor. */
final class ModelReceives {
    /** Keeps a shared one's {@code ibv_srq}. */
    final MemorySegment memory = Arena.ofAuto().allocate(256, Long.BYTES);
    final ModelDomain domain;
    final int capacity;
    final Deque<Receive> posted = new ArrayDeque<>();
    /** The number of receives that are posted, and of those whose completion was not polled. */
    int held;
    /** The number of receives below which an event is raised; 0 for none. */
    int limit;
    /** The number of queue pairs that draw on these receives. */
    int users;

    ModelReceives(final ModelDomain domain, final int capacity) {
        this.domain = domain;
        this.capacity = capacity;
    }

    long address() {
        return memory.address();
    }
}
