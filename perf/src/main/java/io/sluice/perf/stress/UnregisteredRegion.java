package io.sluice.perf.stress;

import io.sluice.verbs.MemoryRegion;

/**
 * A region that no device knows: thousands are made for a test and none is closed.
 */
abstract class UnregisteredRegion implements MemoryRegion {
    @Override
    public final int localKey() {
        return 0;
    }

    @Override
    public final int remoteKey() {
        return 0;
    }

    @Override
    public final byte[] shareToken() {
        return new byte[0];
    }

    @Override
    public final void close() {
        // nobody else knows of it
    }
}
