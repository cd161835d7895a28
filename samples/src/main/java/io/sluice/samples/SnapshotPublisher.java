package io.sluice.samples;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Publishes copies of what one thread knows, so that nobody reads what is being written: at the end of a batch, but at
 * most every 50 ms, because a copy of everything is worth more than a message. What came shortly before a silence is
 * seen with the next message, or at the end. One thread publishes; any thread reads.
 *
 * @param <T> an immutable copy.
 */
final class SnapshotPublisher<T> {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Supplier<T> copy;
    private long publishedNs = System.nanoTime() - INTERVAL_NS;
    private volatile T latest;

    /**
     * Makes a publisher whose first copy is of what is known now.
     *
     * @param copy makes a copy.
     */
    SnapshotPublisher(final Supplier<T> copy) {
        this.copy = copy;
        latest = copy.get();
    }

    /** Notes that a batch has ended. */
    void onBatchEnd() {
        final long nowNs = System.nanoTime();
        if (nowNs - publishedNs >= INTERVAL_NS) {
            publishedNs = nowNs;
            publish();
        }
    }

    /** Publish now: nothing more will come. */
    void publish() {
        latest = copy.get();
    }

    /** The newest copy. Any thread. */
    T latest() {
        return latest;
    }
}
