package io.sluice.verbs.model;

import java.lang.foreign.MemorySegment;

/**
 * An address handle.
 *
 * @param memory      of its {@code ibv_ah}.
 * @param domain      it was created in.
 * @param isReachable whether its path leads to this fabric's port.
 */
record ModelAddress(MemorySegment memory, ModelDomain domain, boolean isReachable) {
}
