package io.sluice.verbs.software;

import org.agrona.UnsafeApi;

/**
 * The file of a completion queue: one page that its owner and the posters of all connected peers write.
 * <pre>
 *      0  magic                        8   written last
 *      8  layout version  4 | number   4
 *     16  socket number of the channel 4   0 when it has none
 *    128  armed word                   4   0 no, 1 for the next completion, 2 for the next solicited one
 *    256  ready bitmap                 64 words of 8: a bit for each attached queue pair
 *    768  room for a summary of the bitmap
 * </pre>
 */
final class CompletionQueueLayout {
    static final int LENGTH = 4096;
    static final long MAGIC = 0x534c_5543_4543_5131L;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int NUMBER_OFFSET = 12;
    static final int CHANNEL_OFFSET = 16;
    static final int ARMED_OFFSET = 128;
    static final int READY_OFFSET = 256;

    static final int NOT_ARMED = 0;
    static final int ARMED = 1;
    static final int ARMED_SOLICITED = 2;

    private CompletionQueueLayout() {
    }

    static void write(final long file, final int number, final int channelSocket) {
        UnsafeApi.putInt(file + VERSION_OFFSET, VERSION);
        UnsafeApi.putInt(file + NUMBER_OFFSET, number);
        UnsafeApi.putInt(file + CHANNEL_OFFSET, channelSocket);
        UnsafeApi.putLongRelease(null, file + MAGIC_OFFSET, MAGIC);
    }

    static boolean isOf(final long file, final int number) {
        return UnsafeApi.getLongAcquire(null, file + MAGIC_OFFSET) == MAGIC
            && UnsafeApi.getInt(file + VERSION_OFFSET) == VERSION
            && UnsafeApi.getInt(file + NUMBER_OFFSET) == number;
    }

    static long readyWord(final long file, final int slot) {
        return file + READY_OFFSET + (long) (slot >>> 6) * Long.BYTES;
    }

    static long readyBit(final int slot) {
        return 1L << (slot & 63);
    }
}
