package io.sluice.verbs.rdma;

import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.rdma.generated.ibv_mr;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** Registered pages of this process. They are given back only when the device has let go of them. */
final class VerbsRegion implements MemoryRegion {
    private static final byte[] NOT_SHARED = {};

    private final VerbsLibrary verbs;
    private final long handle;
    private final long address;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private boolean isClosed;

    VerbsRegion(final VerbsLibrary verbs, final long handle, final long address, final long length) {
        this.verbs = verbs;
        this.handle = handle;
        this.address = address;
        this.length = length;
        // Kept: the keys are read after the region is closed, too.
        localKey = UnsafeApi.getInt(handle + ibv_mr.lkey$offset());
        remoteKey = UnsafeApi.getInt(handle + ibv_mr.rkey$offset());
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public UnsafeBuffer buffer() {
        return new UnsafeBuffer(address, (int) Math.min(length, Integer.MAX_VALUE));
    }

    @Override
    public byte[] shareToken() {
        return NOT_SHARED;
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        // When this fails the device may still write there: the pages are left to it.
        verbs.deregMr.check("the region at " + Long.toHexString(address) + " stays registered", handle);
        SystemCalls.unmap(address, length);
    }
}
