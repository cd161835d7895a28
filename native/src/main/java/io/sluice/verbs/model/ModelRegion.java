package io.sluice.verbs.model;

import java.lang.foreign.MemorySegment;

/**
 * Registered memory.
 *
 * @param memory  of its {@code ibv_mr}.
 * @param domain  it is registered in.
 * @param key     for both sides.
 * @param address of the first byte.
 * @param length  in bytes.
 * @param access  as {@link io.sluice.verbs.AccessFlags}.
 */
record ModelRegion(MemorySegment memory, ModelDomain domain, int key, long address, long length, int access) {
    boolean has(final long start, final long bytes) {
        return start >= address && bytes <= length && start - address <= length - bytes;
    }

    boolean grants(final int asked) {
        return (access & asked) == asked;
    }
}
