package io.sluice.verbs.software;

import org.agrona.UnsafeApi;

/**
 * The file of a queue pair. Its owner writes all but the fault word and the completion entries, which its one connected
 * peer writes.
 * <pre>
 *      0  magic                        8   written last
 *      8  layout version  4 | number   4
 *     16  nonce                        8   random: tells this queue pair from an earlier one of the same number
 *     24  receive entries 4 | completion entries 4       both powers of two
 *     32  min RNR timer   4 | domain   4
 *     40  READs and atomics answered at a time 4 | number of the shared receive queue 4, or 0
 *    128  state word      4 | unsignalled 4   see below
 *    136  nonce of the connected peer  8
 *    256  receives posted              8   cumulative; the peer reads it only when its cached room is used up
 *    384  fault word      4                an AsyncEventType ordinal + 1 that the peer asks the owner to raise
 *    512  receive entries, 16 bytes each:     address 8 | length 4 | key 4
 *         completion entries, 16 bytes each:  immediate 4 : byte length 4 | sequence 4 : flags 2 : opcode 1 : status 1
 *         tokens, 4 bytes for each completion entry, with a shared receive queue only: see {@link SharedQueueLayout}
 * </pre>
 * Completion entry number n (from 0) has the sequence {@code (int) (n + 1)}: zeroed memory is never valid, nor is what
 * the lap before left. Its second word is stored last, with release, and read with acquire. The ring has room by
 * construction, because every entry uses up one posted receive; one further entry is kept for {@link #TERMINAL}.
 * <p>
 * State word: bits 0 to 7 the state's number, bit 8 set while work is received, bit 9 while writes are permitted,
 * bit 10 while reads are, bit 11 while atomics are.
 * Unsignalled: 1 while the owner's poller looks into the completion entries by itself, so that the peer need not fence
 * and signal after each entry; see {@link CompletionQueueMembers} for how it is taken back.
 */
final class QueuePairLayout {
    static final long MAGIC = 0x534c_5543_4551_5031L;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int NUMBER_OFFSET = 12;
    static final int NONCE_OFFSET = 16;
    static final int RECEIVE_ENTRIES_OFFSET = 24;
    static final int COMPLETION_ENTRIES_OFFSET = 28;
    static final int MIN_RNR_TIMER_OFFSET = 32;
    static final int DOMAIN_OFFSET = 36;
    static final int READS_ANSWERED_OFFSET = 40;
    static final int SHARED_QUEUE_OFFSET = 44;
    static final int STATE_OFFSET = 128;
    static final int UNSIGNALLED_OFFSET = 132;
    static final int CONNECTED_NONCE_OFFSET = 136;
    static final int RECEIVES_POSTED_OFFSET = 256;
    static final int FAULT_OFFSET = 384;
    static final int ENTRIES_OFFSET = 512;

    static final int ENTRY_LENGTH = 16;
    static final int ENTRY_SHIFT = 4;
    static final int RECEIVE_LENGTH_OFFSET = 8;
    static final int RECEIVE_KEY_OFFSET = 12;
    /** Offset of the word of an entry that makes it valid. */
    static final int SEAL_OFFSET = 8;

    /** Numbers of the states. */
    static final int RESET = 1;
    static final int INIT = 2;
    static final int READY_TO_RECEIVE = 3;
    static final int READY_TO_SEND = 4;
    static final int ERROR = 5;
    static final int CLOSED = 6;

    static final int RECEIVING = 1 << 8;
    static final int REMOTE_WRITE = 1 << 9;
    static final int REMOTE_READ = 1 << 10;
    static final int REMOTE_ATOMIC = 1 << 11;
    static final int STATE_MASK = 0xff;

    /** Opcode of the entry by which the peer ends the link after a fault of its own making. */
    static final int TERMINAL = 255;

    private QueuePairLayout() {
    }

    static long length(final int receiveEntries, final int completionEntries) {
        return ENTRIES_OFFSET + ((long) receiveEntries + completionEntries) * ENTRY_LENGTH;
    }

    /** Length of the file of a queue pair that draws on a shared receive queue. */
    static long sharedLength(final int receiveEntries, final int completionEntries) {
        return length(receiveEntries, completionEntries) + (long) completionEntries * Integer.BYTES;
    }

    static long completionsOffset(final int receiveEntries) {
        return ENTRIES_OFFSET + (long) receiveEntries * ENTRY_LENGTH;
    }

    static long body(final int immediate, final int byteLength) {
        return (long) immediate << 32 | byteLength & 0xffff_ffffL;
    }

    static int immediate(final long body) {
        return (int) (body >>> 32);
    }

    static int byteLength(final long body) {
        return (int) body;
    }

    static long seal(final long index, final int verdict) {
        return index + 1 << 32 | verdict & 0xffff_ffffL;
    }

    /**
     * The low half of an entry's second word.
     *
     * @param flags  completion flags.
     * @param opcode completion opcode.
     * @param status completion status.
     * @return 16, 8 and 8 bits.
     */
    static int verdict(final int flags, final int opcode, final int status) {
        return flags << 16 | opcode << 8 | status;
    }

    static void unsignalled(final long file, final boolean isUnsignalled) {
        UnsafeApi.putIntVolatile(null, file + UNSIGNALLED_OFFSET, isUnsignalled ? 1 : 0);
    }

    static int state(final long file) {
        return UnsafeApi.getIntAcquire(null, file + STATE_OFFSET);
    }

    static void state(final long file, final int word) {
        UnsafeApi.putIntVolatile(null, file + STATE_OFFSET, word);
    }
}
