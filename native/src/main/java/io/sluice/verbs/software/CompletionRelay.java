package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import org.agrona.UnsafeApi;
import org.agrona.collections.ArrayUtil;

/**
 * Files that took the place of a completion queue's own when somebody had removed that. Peers that were connected since
 * set ready bits there, and the device's duty carries them over: what polls the queue looks at the first file only, as
 * ever, and learns of such a completion a moment later. Under the lock of the queue.
 */
final class CompletionRelay {
    private final long own;
    private MappedMemory[] files = {};

    CompletionRelay(final long own) {
        this.own = own;
    }

    void add(final MappedMemory file, final int number, final int channelSocket) {
        CompletionQueueLayout.write(file.address(), number, channelSocket);
        files = ArrayUtil.add(files, file);
    }

    /** Carry the bits over; true when the queue was armed, and is to be announced. */
    boolean carry() {
        boolean isAny = false;
        for (final MappedMemory file : files) {
            for (int slot = 0; slot < SoftwareLimits.MAX_QUEUE_PAIRS_PER_COMPLETION_QUEUE; slot += Long.SIZE) {
                final long word = CompletionQueueLayout.readyWord(file.address(), slot);
                if (UnsafeApi.getLongVolatile(null, word) != 0) {
                    final long bits = UnsafeApi.getAndSetLong(null, word, 0);
                    UnsafeApi.getAndBitwiseOrLong(null, CompletionQueueLayout.readyWord(own, slot), bits);
                    isAny = true;
                }
            }
        }
        if (!isAny) {
            return false;
        }
        final long armedWord = own + CompletionQueueLayout.ARMED_OFFSET;
        final int armed = UnsafeApi.getIntVolatile(null, armedWord);
        return armed != CompletionQueueLayout.NOT_ARMED
            && UnsafeApi.compareAndSetInt(null, armedWord, armed, CompletionQueueLayout.NOT_ARMED);
    }

    void close() {
        for (final MappedMemory file : files) {
            file.close();
        }
        files = new MappedMemory[0];
    }
}
