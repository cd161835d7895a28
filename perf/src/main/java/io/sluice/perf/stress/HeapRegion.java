package io.sluice.perf.stress;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A region in the Java heap, which the garbage collector takes back.
 */
final class HeapRegion extends UnregisteredRegion {
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
    public UnsafeBuffer buffer() {
        return new UnsafeBuffer(bytes);
    }
}
