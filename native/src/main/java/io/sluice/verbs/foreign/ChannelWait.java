package io.sluice.verbs.foreign;

import java.lang.foreign.MemorySegment;

/**
 * Waits until a descriptor can be read or somebody wakes the thread that waits. Whether it was woken is known by the
 * event descriptor alone: a mark beside it could be taken before the descriptor is written, which then stayed readable
 * and let nobody wait any more. One thread at a time waits; any thread may wake it, also when this is closed.
 */
public final class ChannelWait {
    private static final int DESCRIPTOR_RECORD = 0;
    private static final int WAKE_RECORD = 1;

    private final MemorySegment records;
    private final MemorySegment wakeRecord;
    private final int wakeDescriptor;
    private boolean isClosed;

    /**
     * Make a wait for one descriptor, which stays the caller's.
     *
     * @param descriptor that becomes readable.
     */
    public ChannelWait(final int descriptor) {
        wakeDescriptor = SystemCalls.newEventDescriptor();
        records = SystemCalls.pollRecords(descriptor, wakeDescriptor);
        wakeRecord = SystemCalls.pollRecord(records, WAKE_RECORD);
    }

    /**
     * Wait until the descriptor can be read, or {@link #wake()} is called.
     *
     * @param timeoutNs longest wait in nanoseconds; 0 or less does not wait.
     * @return false after the timeout, and when a signal came.
     */
    public boolean await(final long timeoutNs) {
        return SystemCalls.await(records, timeoutNs);
    }

    /**
     * Wait for {@link #wake()} alone, whatever the descriptor does.
     *
     * @param timeoutNs longest wait in nanoseconds; 0 or less does not wait.
     * @return false after the timeout, and when a signal came.
     */
    public boolean awaitWakeUp(final long timeoutNs) {
        return SystemCalls.await(wakeRecord, timeoutNs);
    }

    /**
     * Wait for another descriptor from now on. Nobody is inside {@link #await}.
     *
     * @param descriptor that becomes readable; it stays the caller's.
     */
    public void watch(final int descriptor) {
        SystemCalls.watch(records, DESCRIPTOR_RECORD, descriptor);
    }

    /**
     * Take the wake-up of an {@link #await} that returned true, if there was one; it is for that wait only.
     *
     * @return whether {@link #wake()} ended it; the descriptor may be readable besides.
     */
    public boolean takeWakeUp() {
        final boolean isWoken = SystemCalls.isReadable(records, WAKE_RECORD);
        if (isWoken) {
            SystemCalls.clear(wakeDescriptor);
        }
        return isWoken;
    }

    /**
     * Whether the descriptor can be read, after an {@link #await} that returned true. It is ready also when it is in
     * error.
     *
     * @return true when it can.
     */
    public boolean isReadable() {
        return SystemCalls.isReadable(records, DESCRIPTOR_RECORD);
    }

    /**
     * End this wait or the next one. Does nothing when closed: the descriptor's number may be somebody else's by then.
     */
    public synchronized void wake() {
        if (!isClosed) {
            SystemCalls.signal(wakeDescriptor);
        }
    }

    /** Close the event descriptor that wakes the waiting thread; no thread waits any more. */
    public synchronized void close() {
        isClosed = true;
        SystemCalls.close(wakeDescriptor);
    }
}
