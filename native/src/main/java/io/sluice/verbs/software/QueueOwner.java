package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventType;
import java.util.function.LongSupplier;

/** A queue pair as its own queues, and the completion queues that it completes at, know it. Not the data path. */
interface QueueOwner {
    /** The queue pair moves to the ERROR state. Any thread. */
    void fail();

    /** An asynchronous event of it is delivered by the next poll of the device. */
    void raise(AsyncEventType type);

    /** The queue pair has begun, or stopped, to have waiting sends. */
    void onWaiting(boolean isWaiting);

    /** The queue pair's waiting sends are tried again. */
    void retrySends();

    /**
     * Count something in its file. Any thread.
     *
     * @param count asked while the file cannot be unmapped.
     * @return the count; 0 when the queue pair is closed.
     */
    long whileMapped(LongSupplier count);
}
