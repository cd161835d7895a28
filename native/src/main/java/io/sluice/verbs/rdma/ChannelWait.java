package io.sluice.verbs.rdma;

import java.lang.foreign.MemorySegment;

/**
 * Waits until a descriptor can be read or somebody wakes the thread that waits. Whether it was woken is known by the
 * event descriptor alone: a mark beside it could be taken before the descriptor is written, which then stayed readable
 * and let nobody wait any more. One thread at a time waits; any thread may wake it, also when this is closed.
 */
final class ChannelWait {
    private static final int WAKE_RECORD = 1;

    private final MemorySegment records;
    private final int wakeDescriptor;
    private boolean isClosed;

    /**
     * For one descriptor, which stays the caller's.
     *
     * @param descriptor that becomes readable.
     */
    ChannelWait(final int descriptor) {
        wakeDescriptor = SystemCalls.newEventDescriptor();
        records = SystemCalls.pollRecords(descriptor, wakeDescriptor);
    }

    /**
     * Wait.
     *
     * @return false after the timeout, and when a signal came.
     */
    boolean await(final long timeoutNs) {
        return SystemCalls.await(records, timeoutNs);
    }

    /** After an {@link #await} that returned true: whether somebody has woken it, which is for this wait only. */
    boolean takeWakeUp() {
        final boolean isWoken = SystemCalls.isReadable(records, WAKE_RECORD);
        if (isWoken) {
            SystemCalls.clear(wakeDescriptor);
        }
        return isWoken;
    }

    /** End this wait or the next one. Nothing when closed: the descriptor's number may be somebody else's by then. */
    synchronized void wake() {
        if (!isClosed) {
            SystemCalls.signal(wakeDescriptor);
        }
    }

    /** Nobody waits any more. */
    synchronized void close() {
        isClosed = true;
        SystemCalls.close(wakeDescriptor);
    }
}
