package io.sluice.transport.harness;

import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A handler of a graph that keeps journals, and that stands still inside a message, or for a while after each, when it
 * is told to. The handler's thread; any other tells it.
 */
final class LoadConsumer implements MessageEventHandler {
    private final ImageJournals journals;
    private volatile CountDownLatch barrier;
    private volatile long pauseNs;

    LoadConsumer(final ImageJournals journals) {
        this.journals = journals;
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) throws Exception {
        final CountDownLatch closed = barrier;
        if (closed != null) {
            PeerMain.say("BLOCKED name=" + name());
            closed.await();
        }
        journals.onMessage(
            event.image(), event.buffer(), event.offset(), event.length(), event.reservedValue(), event.position());
        if (pauseNs > 0) {
            LockSupport.parkNanos(pauseNs);
        }
    }

    /** Stands still from now on for so long after each message; 0 for full speed. */
    void slow(final long newPauseNs) {
        pauseNs = newPauseNs;
    }

    /** Stand still inside the next message. */
    void block() {
        barrier = new CountDownLatch(1);
    }

    void unblock() {
        final CountDownLatch closed = barrier;
        barrier = null;
        closed.countDown();
    }

    long messages() {
        return journals.messages();
    }

    @Override
    public String name() {
        return journals.name();
    }
}
