package io.sluice.verbs.software;

import org.agrona.UnsafeApi;

/**
 * The file of a shared receive queue. Its owner writes all but the taken word, which the connected peers move on.
 * <pre>
 *      0  magic                        8   written last
 *      8  layout version  4 | number   4
 *     16  receive entries 4                a power of two
 *    128  receives posted              8   cumulative
 *    256  receives taken               8   cumulative; moved by compare-and-swap, by whoever takes one
 *    512  receive entries, 32 bytes each: address 8 | length 4 | key 4 | token 4
 * </pre>
 * Receive number n lies in entry n modulo their number. A peer copies the entry first and takes it then: the owner
 * writes an entry anew only when all that were posted a lap before are taken. The token says which receive it was, and
 * comes back with the completion.
 */
final class SharedQueueLayout {
    static final long MAGIC = 0x534c_5543_4553_5231L;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int NUMBER_OFFSET = 12;
    static final int ENTRY_COUNT_OFFSET = 16;
    static final int POSTED_OFFSET = 128;
    static final int TAKEN_OFFSET = 256;
    static final int ENTRIES_OFFSET = 512;

    static final int ENTRY_SHIFT = 5;
    /** The offset of the token: the first words of an entry are laid out as in {@link QueuePairLayout}. */
    static final int TOKEN_OFFSET = 16;

    private SharedQueueLayout() {
    }

    static long length(final int entries) {
        return ENTRIES_OFFSET + ((long) entries << ENTRY_SHIFT);
    }

    static void write(final long file, final int number, final int entries) {
        UnsafeApi.putInt(file + VERSION_OFFSET, VERSION);
        UnsafeApi.putInt(file + NUMBER_OFFSET, number);
        UnsafeApi.putInt(file + ENTRY_COUNT_OFFSET, entries);
        UnsafeApi.putLongRelease(null, file + MAGIC_OFFSET, MAGIC);
    }

    static boolean isOf(final long file, final int number) {
        return UnsafeApi.getLongAcquire(null, file + MAGIC_OFFSET) == MAGIC
            && UnsafeApi.getInt(file + VERSION_OFFSET) == VERSION
            && UnsafeApi.getInt(file + NUMBER_OFFSET) == number;
    }
}
