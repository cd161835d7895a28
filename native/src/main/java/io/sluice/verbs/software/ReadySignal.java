package io.sluice.verbs.software;

import org.agrona.UnsafeApi;

/**
 * The means by which whoever makes a completion tells the completion queue that polls it: a bit of its ready bitmap,
 * and an event when it is armed. Both lie on cache lines that are mostly shared, so that a hot link only reads them.
 */
final class ReadySignal {
    private final long readyWord;
    private final long readyBit;
    private final long armedWord;
    private final Announcer announcer;

    ReadySignal(final long file, final int slot, final Announcer announcer) {
        readyWord = CompletionQueueLayout.readyWord(file, slot);
        readyBit = CompletionQueueLayout.readyBit(slot);
        armedWord = file + CompletionQueueLayout.ARMED_OFFSET;
        this.announcer = announcer;
    }

    /**
     * Tell. The completion must be stored, and a full fence passed, before: the poller clears the bit, or arms, then
     * fences, then looks for completions, so that one of the two sees the other.
     *
     * @param isSolicited whether the completion is solicited or an error.
     */
    void raise(final boolean isSolicited) {
        if ((UnsafeApi.getLong(readyWord) & readyBit) == 0) {
            UnsafeApi.getAndBitwiseOrLong(null, readyWord, readyBit);
        }
        final int armed = UnsafeApi.getInt(armedWord);
        if (armed != CompletionQueueLayout.NOT_ARMED) {
            announce(armed, isSolicited);
        }
    }

    private void announce(final int armed, final boolean isSolicited) {
        if ((armed == CompletionQueueLayout.ARMED || isSolicited)
            && UnsafeApi.compareAndSetInt(null, armedWord, armed, CompletionQueueLayout.NOT_ARMED)) {
            announcer.announce();
        }
    }

    /** Wakes whoever waits for an armed completion queue. */
    @FunctionalInterface
    interface Announcer {
        /** Announces an event for the queue; may do a system call. */
        void announce();
    }
}
