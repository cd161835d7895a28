package io.sluice.environment;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** A mapped file, which lives in an arena of its own; the file's channel is not needed for it and closed long since. */
final class SystemMappedMemory implements MappedMemory {
    private final Arena arena;
    private final long address;
    private final long length;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    SystemMappedMemory(final Arena arena, final MemorySegment segment) {
        this.arena = arena;
        this.address = segment.address();
        this.length = segment.byteSize();
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
            arena.close();
        }
    }
}
