package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventType;
import java.util.function.LongSupplier;

/** A queue pair as its own queues, and the completion queues that it completes at, know it. Not the data path. */
interface QueueOwner {
    /** Moves the queue pair to the ERROR state. Any thread. */
    void fail();

    /** Raises an asynchronous event of the queue pair, which the next poll of the device delivers. */
    void raise(AsyncEventType type);

    /** Notes that the queue pair has begun, or stopped, to have waiting sends. */
    void onWaiting(boolean isWaiting);

    /** Tries the queue pair's waiting sends again. */
    void retrySends();

    /**
     * Count something in its file. Any thread.
     *
     * @param count asked while the file cannot be unmapped.
     * @return the count; 0 when the queue pair is closed.
     */
    long whileMapped(LongSupplier count);
}
