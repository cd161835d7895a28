package io.sluice.samples;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.RestingIdleStrategy;
import io.sluice.transport.Subscription;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.IdleStrategy;

/**
 * Takes what {@link StreamPublisher} sends and checks that no number of a session is missing or comes twice. One
 * thread runs it, which thereby owns the subscription; any thread may read the counts.
 */
final class StreamSubscriber implements Runnable, FragmentHandler {
    static final int SEQUENCE_OFFSET = 0;
    static final int MIN_MESSAGE_LENGTH = Long.BYTES;
    private static final int MESSAGE_LIMIT = 100;

    private final Subscription subscription;
    private final long messageLimit;
    private final StopSignal stop;
    private final IdleStrategy idleStrategy = new RestingIdleStrategy();
    private final Int2ObjectHashMap<AtomicLong> nextBySession = new Int2ObjectHashMap<>();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong gaps = new AtomicLong();

    /**
     * A subscriber that has received nothing.
     *
     * @param subscription to poll; this thread's own.
     * @param messageLimit messages after which to end.
     * @param stop         ends the loop.
     */
    StreamSubscriber(final Subscription subscription, final long messageLimit, final StopSignal stop) {
        this.subscription = subscription;
        this.messageLimit = messageLimit;
        this.stop = stop;
    }

    @Override
    public void run() {
        while (received.get() < messageLimit && !stop.isRequested()) {
            final long wanted = messageLimit - received.get();
            idleStrategy.idle(subscription.poll(this, (int) Math.min(MESSAGE_LIMIT, wanted)));
        }
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        received.lazySet(received.get() + 1);
        bytes.lazySet(bytes.get() + length);
        if (length >= MIN_MESSAGE_LENGTH) {
            check(header.sessionId(), buffer.getLong(offset + SEQUENCE_OFFSET));
        }
    }

    /**
     * Checks a number of a session: a subscription joins a session anywhere, and from there on sees every number once.
     */
    void check(final int sessionId, final long sequence) {
        final AtomicLong next = nextBySession.get(sessionId);
        if (next == null) {
            nextBySession.put(sessionId, new AtomicLong(sequence + 1));
            return;
        }
        if (next.get() != sequence) {
            gaps.lazySet(gaps.get() + 1);
        }
        next.lazySet(sequence + 1);
    }

    /** Publications that can be heard now. */
    int publishers() {
        return subscription.imageCount();
    }

    long received() {
        return received.get();
    }

    /** Bytes of the messages, without headers. */
    long bytes() {
        return bytes.get();
    }

    /** Times that a message did not follow the one before it: always 0. */
    long gaps() {
        return gaps.get();
    }
}
