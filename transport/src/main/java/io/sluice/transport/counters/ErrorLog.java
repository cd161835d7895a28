package io.sluice.transport.counters;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.EpochClock;

/**
 * Writes every distinct error into the transport's errors file, with how often it was seen, and passes it on. Any
 * thread; it takes a lock, which nobody needs who has no error.
 */
final class ErrorLog implements RepeatedErrorHandler {
    private final ErrorHandler next;
    private ErrorRecords records;

    ErrorLog(final AtomicBuffer buffer, final EpochClock clock, final ErrorHandler next) {
        records = new ErrorRecords(buffer, clock);
        this.next = next;
    }

    @Override
    public void onError(final Throwable error) {
        onRepeated(error);
        next.onError(error);
    }

    /** Counts an error that was told before, in the file only. */
    @Override
    public synchronized void onRepeated(final Throwable told) {
        if (records != null) {
            // when their share is full, those that are new are left to the application's handler
            records.record(told);
        }
    }

    @Override
    public void onStranger(final Throwable error) {
        onStrangerRepeated(error);
        next.onError(error);
    }

    /** Counts a stranger's error that was told before, in the file only. */
    @Override
    public synchronized void onStrangerRepeated(final Throwable told) {
        if (records != null) {
            records.recordOfStranger(told);
        }
    }

    /** Record in another file from now on: the first one was removed, and its memory goes. */
    synchronized void replace(final AtomicBuffer buffer, final EpochClock clock) {
        if (records != null) {
            records = new ErrorRecords(buffer, clock);
        }
    }

    /** Lets go of the file's memory: from now on errors are only passed on. */
    synchronized void close() {
        records = null;
    }
}
