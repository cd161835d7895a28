package io.sluice.perf.stress;

import io.sluice.verbs.MemoryRegion;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A region in the Java heap, which no device knows: thousands of them are made for a test and none is closed.
 */
final class HeapRegion implements MemoryRegion {
    private final byte[] bytes;

    HeapRegion(final int length) {
        bytes = new byte[length];
    }

    @Override
    public long address() {
        return 0;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public int localKey() {
        return 0;
    }

    @Override
    public int remoteKey() {
        return 0;
    }

    @Override
    public UnsafeBuffer buffer() {
        return new UnsafeBuffer(bytes);
    }

    @Override
    public byte[] shareToken() {
        return new byte[0];
    }

    @Override
    public void close() {
        // the garbage collector's
    }
}
