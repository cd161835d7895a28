package io.sluice.transport.stub;

import io.sluice.verbs.MemoryRegion;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that is registered with nobody.
 */
public final class StubRegion implements MemoryRegion {
    private static final int PAGE_LENGTH = 4096;

    private final UnsafeBuffer memory;

    public StubRegion(final int length) {
        this(new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, PAGE_LENGTH)));
    }

    /** Over memory that a test wants to watch; it begins at a page. */
    public StubRegion(final UnsafeBuffer memory) {
        this.memory = memory;
    }

    @Override
    public long address() {
        return memory.addressOffset();
    }

    @Override
    public long length() {
        return memory.capacity();
    }

    @Override
    public int localKey() {
        return 11;
    }

    @Override
    public int remoteKey() {
        return 12;
    }

    @Override
    public UnsafeBuffer buffer() {
        return memory;
    }

    @Override
    public byte[] shareToken() {
        return new byte[0];
    }

    @Override
    public void close() {
    }
}
