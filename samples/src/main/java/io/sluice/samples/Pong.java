package io.sluice.samples;

import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * The other side: sends every message back as it came. One thread runs it, which thereby owns the subscription;
 * {@link #onPingAvailable()} may be called from any.
 */
final class Pong implements ControlledFragmentHandler {
    private static final int MESSAGE_LIMIT = 10;
    private static final long UNCONNECTED_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Publication publication;
    private final IdleStrategy idleStrategy;
    private volatile boolean isPingNew = true;

    Pong(final Publication publication, final IdleStrategy idleStrategy) {
        this.publication = publication;
        this.idleStrategy = idleStrategy;
    }

    /** Notes that a ping can be heard; that it hears us, too, may come a little later. */
    void onPingAvailable() {
        isPingNew = true;
    }

    /** Answer until stopped. Without a ping the thread sleeps between looks. */
    void run(final Subscription pings, final StopSignal stop) {
        while (!stop.isRequested()) {
            if (pings.controlledPoll(this, MESSAGE_LIMIT) == 0) {
                if (pings.isConnected()) {
                    idleStrategy.idle();
                } else {
                    LockSupport.parkNanos(UNCONNECTED_PAUSE_NS);
                }
            }
        }
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final long result = publication.offer(buffer, offset, length);
        if (result > 0) {
            if (isPingNew) {
                isPingNew = false;
            }
            return Action.CONTINUE;
        }
        // Nobody hears the answer. A ping that we once reached is gone; a new one will hear the next attempt.
        if (result == Publication.NOT_CONNECTED && !isPingNew) {
            return Action.CONTINUE;
        }
        // Back-pressure: the same message again at the next poll. Meanwhile nothing is lost, ping's own window fills.
        return Action.ABORT;
    }
}
