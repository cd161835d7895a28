package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * Data path: takes receives from a peer's shared receive queue, in competition with the queue's other peers. One for
 * each queue pair, used by the one thread that carries its operations out.
 */
final class PeerSharedReceives {
    private static final int COPY_LENGTH = 16;

    private final MappedMemory memory;
    private final long postedWord;
    private final long takenWord;
    private final long entries;
    private final int mask;
    private final ByteBuffer copyMemory = ByteBuffer.allocateDirect(COPY_LENGTH + Long.BYTES);
    private final long copy = BufferUtil.address(copyMemory);
    private int token;

    /**
     * The queue in a file that was checked.
     *
     * @param memory mapped, closed with this.
     * @param count  entries, a power of two.
     */
    PeerSharedReceives(final MappedMemory memory, final int count) {
        this.memory = memory;
        mask = count - 1;
        postedWord = memory.address() + SharedQueueLayout.POSTED_OFFSET;
        takenWord = memory.address() + SharedQueueLayout.TAKEN_OFFSET;
        entries = memory.address() + SharedQueueLayout.ENTRIES_OFFSET;
    }

    /** Whether there is a receive, at this moment. */
    boolean hasReceive() {
        return UnsafeApi.getLongVolatile(null, takenWord) < UnsafeApi.getLongAcquire(null, postedWord);
    }

    /**
     * Take the next receive.
     *
     * @return address of a copy of its description, laid out as a receive entry of a queue pair; 0 when there is none.
     */
    long take() {
        while (true) {
            final long index = UnsafeApi.getLongVolatile(null, takenWord);
            if (index >= UnsafeApi.getLongAcquire(null, postedWord)) {
                return 0;
            }
            final long entry = entries + ((index & mask) << SharedQueueLayout.ENTRY_SHIFT);
            UnsafeApi.putLong(copy, UnsafeApi.getLong(entry));
            UnsafeApi.putLong(copy + Long.BYTES, UnsafeApi.getLong(entry + Long.BYTES));
            token = UnsafeApi.getInt(entry + SharedQueueLayout.TOKEN_OFFSET);
            if (UnsafeApi.compareAndSetLong(null, takenWord, index, index + 1)) {
                return copy;
            }
        }
    }

    /** The number of the receive that was taken last. */
    int token() {
        return token;
    }

    void close() {
        memory.close();
    }
}
