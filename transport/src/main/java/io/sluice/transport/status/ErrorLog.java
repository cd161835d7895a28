package io.sluice.transport.status;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.errors.DistinctErrorLog;

/**
 * Writes every distinct error into the transport's errors file, with how often it was seen, and passes it on. Any
 * thread; it takes a lock, which nobody needs who has no error.
 */
final class ErrorLog implements RepeatedErrorHandler {
    private final ErrorHandler next;
    private DistinctErrorLog log;

    ErrorLog(final AtomicBuffer buffer, final EpochClock clock, final ErrorHandler next) {
        log = new DistinctErrorLog(buffer, clock);
        this.next = next;
    }

    @Override
    public void onError(final Throwable error) {
        record(error);
        next.onError(error);
    }

    /** Counted in the file only. */
    @Override
    public void onRepeated(final Throwable told) {
        record(told);
    }

    private synchronized void record(final Throwable error) {
        if (log != null) {
            // when the file is full, those that are new are left to the application's handler
            log.record(error);
        }
    }

    /** Record in another file from now on: the first one was removed, and its memory goes. */
    synchronized void replace(final AtomicBuffer buffer, final EpochClock clock) {
        if (log != null) {
            log = new DistinctErrorLog(buffer, clock);
        }
    }

    /** The file's memory goes: from now on errors are only passed on. */
    synchronized void close() {
        log = null;
    }
}
