package io.sluice.verbs.rdma;

import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.rdma.generated.ibv_mr;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** Registered pages of this process. They are given back only when the device has let go of them. */
final class VerbsRegion implements MemoryRegion {
    private static final byte[] NOT_SHARED = {};

    private final VerbsDevice device;
    private final long handle;
    private final RegionMemory memory;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private boolean isClosed;

    VerbsRegion(final VerbsDevice device, final long handle, final RegionMemory memory, final long length) {
        this.device = device;
        this.handle = handle;
        this.memory = memory;
        this.length = length;
        // Kept: the keys are read after the region is closed, too.
        localKey = UnsafeApi.getInt(handle + ibv_mr.lkey$offset());
        remoteKey = UnsafeApi.getInt(handle + ibv_mr.rkey$offset());
        device.objects().onCreated(DeviceObjects.Kind.MEMORY_REGION);
    }

    @Override
    public long address() {
        return memory.address();
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
        return new UnsafeBuffer(memory.address(), (int) Math.min(length, Integer.MAX_VALUE));
    }

    /** Whether it lies in huge pages. */
    boolean isHuge() {
        return memory.isHuge();
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
        // When this fails the device may still write there: the pages are left to it until a close succeeds.
        device.verbs().deregMr.check(
            "the region at " + Long.toHexString(memory.address()) + " stays registered", handle);
        isClosed = true;
        device.objects().onDestroyed(DeviceObjects.Kind.MEMORY_REGION);
        memory.release();
    }
}
