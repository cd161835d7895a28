package io.sluice.perf.stress;

import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A region outside the heap. Since none is closed, all of them are slots of one memory, and each is used again after
 * {@value #SLOTS} others: by then its test has ended, for far fewer are under way at a time.
 */
final class SlotRegion extends UnregisteredRegion {
    private static final int SLOT_LENGTH = 128;
    private static final int SLOTS = 1 << 19;
    private static final UnsafeBuffer MEMORY =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(SLOTS * SLOT_LENGTH, SLOT_LENGTH));
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final UnsafeBuffer buffer;

    /** A slot's first bytes, which are zero. */
    SlotRegion(final int length) {
        if (length > SLOT_LENGTH) {
            throw new IllegalArgumentException("too long: length=" + length + " maximum=" + SLOT_LENGTH);
        }
        buffer = new UnsafeBuffer(MEMORY, (NEXT.getAndIncrement() & SLOTS - 1) * SLOT_LENGTH, length);
        buffer.setMemory(0, length, (byte) 0);
    }

    @Override
    public long address() {
        return buffer.addressOffset();
    }

    @Override
    public long length() {
        return buffer.capacity();
    }

    @Override
    public UnsafeBuffer buffer() {
        return buffer;
    }
}
