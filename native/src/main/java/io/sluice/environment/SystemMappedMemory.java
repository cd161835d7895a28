package io.sluice.environment;

import java.util.concurrent.atomic.AtomicBoolean;

/** A mapped file; its descriptor or channel is not needed for it and closed long since. */
final class SystemMappedMemory implements MappedMemory {
    private final Runnable unmap;
    private final long address;
    private final long length;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    SystemMappedMemory(final long address, final long length, final Runnable unmap) {
        this.address = address;
        this.length = length;
        this.unmap = unmap;
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
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            unmap.run();
        }
    }
}
