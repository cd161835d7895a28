package io.sluice.transport.harness;

import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import java.util.concurrent.CountDownLatch;

/**
 * A handler of a graph that keeps journals, and that stands still inside a message when it is told to. The handler's
 * thread; any other blocks and unblocks it.
 */
final class LoadConsumer implements MessageEventHandler {
    private final ImageJournals journals;
    private volatile CountDownLatch barrier;

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
